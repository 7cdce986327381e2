;;; warpdrf.el --- data races and divergent warp primitives of CUDA kernels -*- lexical-binding: t -*-

;; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
;; Package-Requires: ((emacs "28.1") (eglot "1.9"))

;;; Commentary:

;; Tells Eglot of `warpdrf lsp'.  Put this folder on `load-path' and
;;   (require 'warpdrf)
;; then `M-x eglot' in a buffer of a .cu file, or, for every one,
;;   (add-hook 'warpdrf-mode-hook #'eglot-ensure)
;; Findings are Flymake's, `eldoc' shows the lanes of the primitive at point, and
;; `M-x eglot-code-actions' offers fixes that were checked.  `M-x warpdrf-run'
;; runs the kernel at point in the reference interpreter, `M-x
;; warpdrf-show-witness' what shows the finding in this line.

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

(defun warpdrf--interpret (server command argument)
  "Let SERVER run COMMAND with ARGUMENT; its text comes in a buffer of its own."
  (jsonrpc-async-request
   server :workspace/executeCommand
   (list :command command :arguments (vector (append argument '(:format "text"))))
   :timeout 100
   :success-fn
   (lambda (result)
     (with-current-buffer (get-buffer-create "*warpdrf run*")
       (let ((inhibit-read-only t))
         (erase-buffer)
         (insert "$ " (plist-get result :command) "\n"
                 (mapconcat (lambda (note) (concat note "\n")) (plist-get result :notes) "")
                 "\n" (plist-get result :text)))
       (special-mode)
       (goto-char (point-min))
       (display-buffer (current-buffer))))
   :error-fn (lambda (problem) (message "warpdrf: %s" (plist-get problem :message)))))

(defun warpdrf--at-point ()
  "The argument that names what is at point."
  (let ((here (eglot--TextDocumentPositionParams)))
    (list :uri (plist-get (plist-get here :textDocument) :uri)
          :position (plist-get here :position))))

(defun warpdrf-run ()
  "Run the kernel at point in the reference interpreter."
  (interactive)
  (warpdrf--interpret (eglot--current-server-or-lose) "warpdrf.runInInterpreter"
                      (warpdrf--at-point)))

(defun warpdrf-show-witness ()
  "Run what shows the finding in this line."
  (interactive)
  (warpdrf--interpret (eglot--current-server-or-lose) "warpdrf.showWitness"
                      (warpdrf--at-point)))

;; Code actions bring their argument along.
(cl-defmethod eglot-execute-command (server (_command (eql warpdrf.runInInterpreter)) arguments)
  "Show what the interpreter prints: ask SERVER, with ARGUMENTS."
  (warpdrf--interpret server "warpdrf.runInInterpreter" (append (aref arguments 0) nil)))

(cl-defmethod eglot-execute-command (server (_command (eql warpdrf.showWitness)) arguments)
  "Show what the interpreter prints: ask SERVER, with ARGUMENTS."
  (warpdrf--interpret server "warpdrf.showWitness" (append (aref arguments 0) nil)))

(provide 'warpdrf)
;;; warpdrf.el ends here
