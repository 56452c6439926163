;;; drystone-mode.el --- major mode for Drystone models (.dry)  -*- lexical-binding: t; -*-

;; Author: The Drystone authors
;; Version: 0.1.0
;; Package-Requires: ((emacs "26.1"))
;; Keywords: languages

;;; Commentary:

;; Colours, comments, indentation and an index for models of machines with dry friction and contact.  Messages while you
;; type, meanings and completion come from the language server `drystone lsp': M-x eglot starts it.

;;; Code:

(require 'drystone-words)
(require 'imenu)

(defgroup drystone nil
  "Models of machines with dry friction and contact."
  :group 'languages)

(defcustom drystone-command "drystone"
  "The command drystone, as a name or a path; the language server is its verb lsp."
  :type 'string)

(defcustom drystone-indent 4
  "How far a line that goes on from the one before is indented."
  :type 'integer
  :safe #'integerp)

(defvar drystone-mode-syntax-table
  (let ((table (make-syntax-table)))
    (modify-syntax-entry ?# "<" table)
    (modify-syntax-entry ?\n ">" table)
    (modify-syntax-entry ?\" "\"" table)
    (modify-syntax-entry ?_ "_" table)
    (modify-syntax-entry ?. "." table)
    (dolist (sign '(?' ?+ ?- ?* ?/ ?^ ?= ?< ?>)) (modify-syntax-entry sign "." table))
    (modify-syntax-entry ?\( "()" table)
    (modify-syntax-entry ?\) ")(" table)
    (modify-syntax-entry ?\[ "(]" table)
    (modify-syntax-entry ?\] ")[" table)
    table)
  "Syntax table of `drystone-mode'.")

(defun drystone--words (words &optional before after)
  "Return a regular expression for WORDS as group 1, between BEFORE and AFTER."
  (concat before "\\_<\\(" (regexp-opt words) "\\)\\_>" after))

;; Words that models may use as names are coloured only where the grammar has them.
(defconst drystone-font-lock-keywords
  (let ((not-member "\\(?:^\\|[^.]\\)") (called "[ \t]*("))
    `((,(drystone--words drystone-statements "^[ \t]*") 1 font-lock-keyword-face)
      (,(drystone--words drystone-late-statements "^[ \t]*" "[ \t]+[\"[:alpha:]_]") 1 font-lock-keyword-face)
      (,(drystone--words (append drystone-sets drystone-functions) not-member called) 1 font-lock-builtin-face)
      (,(drystone--words (append drystone-laws drystone-parts) not-member called) 1 font-lock-type-face)
      (,(drystone--words drystone-laws "\\_<law[ \t]*=[ \t]*") 1 font-lock-type-face)
      (,(concat "\\_<method[ \t]*=[ \t]*\\(" (regexp-opt drystone-methods) "\\)\\_>") 1 font-lock-constant-face)
      (,(drystone--words drystone-keys "\\(?:[(,]\\|\\_<\\(?:with\\|run\\)\\_>\\)[ \t]*" "[ \t]*=") 1
       font-lock-variable-name-face)
      ("\\_<[0-9]+\\(?:\\.[0-9]*\\)?\\(?:[eE][-+]?[0-9]+\\)?[ \t]*\\(\\[[^]\n]*\\]\\)" 1 font-lock-doc-face t)
      ("[])][ \t]+\\(\\[[^],\n]*\\]\\)" 1 font-lock-doc-face t)
      (,(drystone--words drystone-joining not-member) 1 font-lock-keyword-face)
      (,(drystone--words drystone-late-joining "[ \t]" "[ \t]+[^ \t\n=,)+*/^-]") 1 font-lock-keyword-face)
      (,(drystone--words drystone-constants not-member) 1 font-lock-constant-face)))
  "What `drystone-mode' colours.")

(defconst drystone--goes-on
  (concat "\\(?:[-+*/^=,<>([]\\|\\_<" (regexp-opt (cons "for" drystone-joining)) "\\_>\\)[ \t]*\\(?:#.*\\)?$")
  "A line after which the statement goes on.")

(defun drystone--goes-on-p ()
  "Whether the statement goes on behind the line of point."
  (save-excursion
    (beginning-of-line)
    (and (not (looking-at "[ \t]*\\(?:#\\|$\\)"))
         (re-search-forward drystone--goes-on (line-end-position) t)
         (not (nth 4 (syntax-ppss (match-beginning 0)))))))

(defun drystone-indent-line ()
  "Indent a line that goes on from the one before."
  (interactive)
  (let ((to (save-excursion
              (beginning-of-line)
              (if (bobp)
                  0
                (forward-line -1)
                (let ((depth (current-indentation))
                      (went-on (and (not (bobp)) (save-excursion (forward-line -1) (drystone--goes-on-p)))))
                  (cond ((drystone--goes-on-p) (if went-on depth (+ depth drystone-indent)))
                        (went-on (max 0 (- depth drystone-indent)))
                        (t depth)))))))
    (if (<= (current-column) (current-indentation))
        (indent-line-to to)
      (save-excursion (indent-line-to to)))))

;;;###autoload
(define-derived-mode drystone-mode prog-mode "Drystone"
  "Major mode for models of Drystone."
  (setq-local comment-start "# ")
  (setq-local comment-start-skip "#+[ \t]*")
  (setq-local comment-end "")
  (setq-local font-lock-defaults '(drystone-font-lock-keywords))
  (setq-local indent-line-function #'drystone-indent-line)
  (setq-local imenu-generic-expression
              '((nil "^[ \t]*\\(?:param\\|state\\|function\\|measure\\|sample\\|table\\|input\\)[ \t]+\\([[:alpha:]_][[:alnum:]_]*\\)" 1)
                ("Parts" "^[ \t]*part[ \t]+\\([[:alpha:]_][[:alnum:]_]*\\)" 1)
                ("Forces" "^[ \t]*\\([[:alpha:]_][[:alnum:]_]*\\)[ \t]+in\\_>" 1))))

;;;###autoload
(add-to-list 'auto-mode-alist '("\\.dry\\'" . drystone-mode))

;; Eglot belongs to Emacs from 29 on; before, it is a package.  Its messages are shown by Flymake.
(defvar eglot-server-programs)
(with-eval-after-load 'eglot
  (add-to-list 'eglot-server-programs
               (cons 'drystone-mode (lambda (&rest _) (list drystone-command "lsp")))))

(provide 'drystone-mode)
;;; drystone-mode.el ends here
