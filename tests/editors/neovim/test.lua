-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- Runs in a headless Neovim: a barrier under a branch is shown, a shuffle hovered, the run that shows the finding
-- opened, the barrier hoisted; the diagnostic goes, and a run finds nothing. Arguments come in the environment: WARPDRF, FILE.
local step = 'setup'

local function fail(what)
  io.stderr:write('FAILED at: ' .. step .. '\n' .. tostring(what) .. '\n')
  vim.cmd('cquit 1')
end

local function eventually(condition)
  if not vim.wait(20000, condition, 50) then
    error('it did not happen within 20 s', 2)
  end
end

local function lineOf(text)
  for number, line in ipairs(vim.api.nvim_buf_get_lines(0, 0, -1, false)) do
    local column = line:find(text, 1, true)
    if column then
      return number - 1, column - 1
    end
  end
  error('no line has ' .. text)
end

local function request(method, parameters)
  local answers = assert(vim.lsp.buf_request_sync(0, method, parameters, 20000))
  local _, answer = next(answers)
  return assert(answer and answer.result, 'no answer to ' .. method)
end

local function hoist()
  for _, diagnostic in ipairs(vim.diagnostic.get(0)) do
    if diagnostic.code == 'divergent-barrier' or (diagnostic.user_data and
        diagnostic.user_data.lsp.code == 'divergent-barrier') then
      local position = {line = diagnostic.lnum, character = diagnostic.col}
      for _, action in ipairs(request('textDocument/codeAction', {
        textDocument = vim.lsp.util.make_text_document_params(),
        range = {start = position, ['end'] = position},
        context = {diagnostics = {}, only = {'quickfix'}},
      })) do
        if action.edit and action.title:find('branch') then
          vim.lsp.util.apply_workspace_edit(action.edit, 'utf-8')
          return
        end
      end
    end
  end
  error('no fix takes the barrier out of the branch')
end

-- The lines of the window that a command opens, which is closed again.
local function printed(command)
  vim.cmd(command)
  eventually(function() return vim.b.warpdrf_run end)
  local text = table.concat(vim.api.nvim_buf_get_lines(0, 0, -1, false), '\n')
  vim.cmd('close')
  return text
end

local function run()
  vim.opt.runtimepath:append(vim.env.EDITORS .. '/neovim')
  require('warpdrf').setup({cmd = {vim.env.WARPDRF, 'lsp'}, settings = {noToolkit = true}})
  vim.cmd('filetype on')
  vim.cmd('edit ' .. vim.fn.fnameescape(vim.env.FILE))

  step = 'diagnostics'
  eventually(function() return #vim.diagnostic.get(0) > 0 end)
  local line = lineOf('__syncthreads')
  assert(vim.diagnostic.get(0)[1].lnum == line, vim.inspect(vim.diagnostic.get(0)))

  step = 'hover'
  local row, column = lineOf('__shfl_down_sync')
  local hover = request('textDocument/hover', {
    textDocument = vim.lsp.util.make_text_document_params(),
    position = {line = row, character = column},
  })
  assert(vim.inspect(hover.contents):find('lanes') or vim.inspect(hover.contents):find('warp'),
    vim.inspect(hover))

  step = 'witness'
  vim.api.nvim_win_set_cursor(0, {line + 1, 0})
  local witness = printed('WarpdrfWitness')
  assert(witness:find('$ warpdrf run ', 1, true) and witness:find('divergent%-barrier'), witness)

  step = 'fix'
  hoist()
  local _, brace = lineOf('}')
  assert(select(2, lineOf('__syncthreads')) == brace, 'the barrier is still in the branch')
  step = 'the diagnostic goes'
  eventually(function() return #vim.diagnostic.get(0) == 0 end)

  step = 'run in interpreter'
  local result = printed('WarpdrfRun')
  assert(result:find('__syncthreads', 1, true) and not result:find('divergent%-barrier'), result)
  print('PASSED: diagnostics, hover, witness, fix, run in interpreter')
end

local ok, message = pcall(run)
if not ok then
  fail(message)
end
vim.cmd('qall!')
