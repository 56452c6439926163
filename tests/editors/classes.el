;;; classes.el --- colours texts as Emacs does  -*- lexical-binding: t; -*-

;; emacs --batch -l classes.el PLACES prints the face of each place.

;;; Code:

(require 'json)

(let* ((json-key-type 'string)
       (places (json-read-file (car command-line-args-left)))
       (found (mapcar
               (lambda (entry)
                 (find-file (car entry))
                 (unless (eq major-mode 'drystone-mode) (error "%s is not in drystone-mode" (car entry)))
                 (font-lock-ensure)
                 (cons (car entry)
                       (mapcar (lambda (place)
                                 (goto-char (point-min))
                                 (forward-line (1- (aref place 0)))
                                 (forward-char (1- (aref place 1)))
                                 (format "%s" (or (get-text-property (point) 'face) "none")))
                               (cdr entry))))
               places)))
  (setq command-line-args-left nil)
  (princ (json-encode found)))

;;; classes.el ends here
