;;; warpdrf.el --- data races and divergent warp primitives of CUDA kernels -*- lexical-binding: t -*-

;; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))

;;; Commentary:

;; Tells Eglot of `warpdrf lsp'.  Put this folder on `load-path' and
;;   (require 'warpdrf)
;; then `M-x eglot' in a buffer of a .cu file, or, for every one,
;;   (add-hook 'warpdrf-mode-hook #'eglot-ensure)
;; Findings are Flymake's, `eldoc' shows the lanes of the primitive at point, and
;; `M-x eglot-code-actions' offers fixes that were checked.

;;; Code:

(require 'eglot)

(defgroup warpdrf nil
  "Data races and divergent warp primitives of CUDA kernels."
  :group 'eglot)

(defcustom warpdrf-program '("warpdrf" "lsp")
  "The language server and its arguments."
  :type '(repeat string))

(defcustom warpdrf-settings nil
  "Settings of the server, as a property list: (:arch \"sm_90\" :strict t).
They are those of the VS Code extension, without the `warpdrf.' before them."
  :type 'plist)

(define-derived-mode warpdrf-mode c++-mode "CUDA"
  "C++ mode for CUDA files, which warpdrf serves.")

(add-to-list 'auto-mode-alist '("\\.cuh?\\'" . warpdrf-mode))

(add-to-list 'eglot-server-programs
             `((warpdrf-mode :language-id "cuda-cpp")
               . ,(lambda (&rest _) warpdrf-program)))

(setq-default eglot-workspace-configuration
              (append (list (cons :warpdrf warpdrf-settings))
                      (default-value 'eglot-workspace-configuration)))

(provide 'warpdrf)
;;; warpdrf.el ends here
