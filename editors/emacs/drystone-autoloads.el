;;; drystone-autoloads.el --- loads drystone-mode for files that end in .dry  -*- lexical-binding: t; -*-

;;; Code:

(autoload 'drystone-mode "drystone-mode" "Major mode for models of Drystone." t)
(add-to-list 'auto-mode-alist '("\\.dry\\'" . drystone-mode))

(provide 'drystone-autoloads)
;;; drystone-autoloads.el ends here
