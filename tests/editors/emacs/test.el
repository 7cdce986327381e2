;;; test.el --- warpdrf in a real Emacs -*- lexical-binding: t -*-

;; SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

;;; Commentary:

;; Runs in batch mode: a barrier under a branch is shown, a shuffle hovered, the
;; run that shows the finding opened, the barrier hoisted; the diagnostic goes, and
;; a run finds nothing.  WARPDRF and FILE come in the environment.

;;; Code:

(package-initialize)
(add-to-list 'load-path (expand-file-name "emacs" (getenv "EDITORS")))
(require 'warpdrf)
(require 'flymake)

(defvar step "setup")

(defun eventually (what)
  "Wait until the function WHAT gives something, and return it."
  (let ((end (+ (float-time) 20)) found)
    (while (and (not (setq found (funcall what))) (< (float-time) end))
      (accept-process-output nil 0.05)
      (flymake-start))
    (or found (error "It did not happen within 20 s"))))

(defun found ()
  "The lines of warpdrf's diagnostics."
  (mapcar (lambda (each) (line-number-at-pos (flymake-diagnostic-beg each)))
          (flymake-diagnostics)))

(defun line-of (text)
  "Go to TEXT; its line."
  (goto-char (point-min))
  (search-forward text)
  (goto-char (match-beginning 0))
  (line-number-at-pos))

(defun ask (method &rest more)
  "The answer to METHOD at point."
  (jsonrpc-request (eglot--current-server-or-lose) method
                   (append (eglot--TextDocumentPositionParams) more)))

(defun hoist ()
  "Apply the fix that takes the barrier out of the branch."
  (let* ((here (eglot--pos-to-lsp-position))
         (action (seq-find
                  (lambda (each) (string-match-p "branch" (plist-get each :title)))
                  (ask :textDocument/codeAction
                       :range (list :start here :end here)
                       :context (list :diagnostics [] :only ["quickfix"])))))
    (unless action (error "No fix takes the barrier out of the branch"))
    (let ((eglot-confirm-server-initiated-edits nil))
      (eglot--apply-workspace-edit (plist-get action :edit)))
    ;; In batch mode no idle timer tells the server.
    (eglot--signal-textDocument/didChange)))

(defun printed (command)
  "What COMMAND prints in its buffer."
  (when (get-buffer "*warpdrf run*") (kill-buffer "*warpdrf run*"))
  (funcall command)
  (eventually (lambda () (get-buffer "*warpdrf run*")))
  (with-current-buffer "*warpdrf run*" (buffer-string)))

(condition-case problem
    (progn
      (setq warpdrf-program (list (getenv "WARPDRF") "lsp")
            eglot-sync-connect 10)
      (setq-default eglot-workspace-configuration '((:warpdrf . (:noToolkit t))))
      (find-file (getenv "FILE"))
      (call-interactively #'eglot)
      (setq step "diagnostics")
      (let ((lines (eventually #'found)))
        (unless (equal lines (list (line-of "__syncthreads")))
          (error "Diagnostics in lines %S" lines)))
      (setq step "hover")
      (line-of "__shfl_down_sync")
      (unless (string-match-p "lanes\\|warp" (format "%S" (ask :textDocument/hover)))
        (error "The hover says nothing of the lanes"))
      (setq step "witness")
      (line-of "__syncthreads")
      (unless (string-match-p "\\`\\$ warpdrf run \\(?:.\\|\n\\)*divergent-barrier"
                              (printed #'warpdrf-show-witness))
        (error "The run does not show the finding"))
      (setq step "fix")
      (line-of "__syncthreads")
      (hoist)
      (line-of "__syncthreads")
      (unless (= (current-indentation) 2)
        (error "The barrier is still in the branch"))
      (setq step "the diagnostic goes")
      (eventually (lambda () (null (found))))
      (setq step "run in interpreter")
      (let ((text (printed #'warpdrf-run)))
        (unless (and (string-match-p "__syncthreads" text)
                     (not (string-match-p "divergent-barrier" text)))
          (error "The run says: %s" text)))
      (message "PASSED: diagnostics, hover, witness, fix, run in interpreter")
      (kill-emacs 0))
  (error (message "FAILED at: %s: %S" step problem)
         (kill-emacs 1)))

;;; test.el ends here
