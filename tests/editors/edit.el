;;; edit.el --- editing models in Emacs  -*- lexical-binding: t; -*-

;;; Code:

(require 'ert)
(require 'drystone-mode)

(defun edited (text command)
  "Return TEXT after COMMAND has run on all of it."
  (with-temp-buffer
    (insert text)
    (drystone-mode)
    (funcall command (point-min) (point-max))
    (buffer-string)))

(ert-deftest lines-that-go-on-are-indented ()
  (should (equal (edited "x = 1 +\n2\ny = 3\nf in F*sgn(v) with\nK = 1,\nbeta = 2\n  # end\n" #'indent-region)
                 "x = 1 +\n    2\ny = 3\nf in F*sgn(v) with\n    K = 1,\n    beta = 2\n# end\n")))

(ert-deftest a-comment-does-not-go-on ()
  (should (equal (edited "x = 1 # and\n  y = 2\n" #'indent-region) "x = 1 # and\ny = 2\n")))

(ert-deftest comments-begin-with-a-number-sign ()
  (should (equal (edited "x = 1\n" #'comment-region) "# x = 1\n"))
  (should (equal (edited "# x = 1\n" #'uncomment-region) "x = 1\n")))

(ert-deftest files-have-the-mode ()
  (should (eq (assoc-default "a/b.dry" auto-mode-alist #'string-match) 'drystone-mode)))

;; Eglot itself belongs to Emacs from 29 on; here stands what drystone-mode touches of it.
(defvar eglot-server-programs nil)
(ert-deftest eglot-knows-the-server-once-it-is-there ()
  (provide 'eglot)
  (let ((contact (cdr (assoc 'drystone-mode eglot-server-programs)))
        (drystone-command "/opt/drystone"))
    (should (equal (funcall contact nil) '("/opt/drystone" "lsp")))))

;;; edit.el ends here
