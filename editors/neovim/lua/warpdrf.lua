-- SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
--
-- warpdrf in Neovim 0.7 and later, without any plugin:
--   require('warpdrf').setup()
--   require('warpdrf').setup({cmd = {'/opt/warpdrf/bin/warpdrf', 'lsp'}, settings = {arch = 'sm_90'}})
-- The settings are those of the VS Code extension, without the `warpdrf.` before them.
local M = {}

local clients = {} -- by root folder; Neovim 0.8 and later keep count themselves

local function rootOf(file)
  local folder = vim.fn.fnamemodify(file, ':p:h')
  local at = folder
  while true do
    for _, mark in ipairs({'compile_commands.json', '.warpdrf.json', '.git'}) do
      if vim.fn.glob(at .. '/' .. mark) ~= '' then
        return at
      end
    end
    local above = vim.fn.fnamemodify(at, ':h')
    if above == at then
      return folder
    end
    at = above
  end
end

-- The server whose files the current buffer is among.
local function clientOf(buffer)
  for _, client in pairs(vim.lsp.buf_get_clients(buffer)) do
    if client.name == 'warpdrf' then
      return client
    end
  end
  error('warpdrf is not running for this buffer', 0)
end

local function show(text)
  vim.cmd('botright new')
  local buffer = vim.api.nvim_get_current_buf()
  vim.bo[buffer].buftype = 'nofile'
  vim.bo[buffer].bufhidden = 'wipe'
  vim.bo[buffer].swapfile = false
  vim.api.nvim_buf_set_lines(buffer, 0, -1, false, vim.split(text, '\n'))
  vim.bo[buffer].modifiable = false
  vim.b[buffer].warpdrf_run = true
end

-- Asks the server to run something in the interpreter; what that prints comes in a window of its own.
local function interpret(command, argument)
  argument.format = 'text'
  clientOf(0).request('workspace/executeCommand', {command = command, arguments = {argument}},
    function(problem, result)
      if problem then
        vim.notify('warpdrf: ' .. problem.message, vim.log.levels.ERROR)
      else
        show('$ ' .. result.command .. '\n' .. table.concat(vim.tbl_map(function(note)
          return note .. '\n'
        end, result.notes)) .. '\n' .. result.text)
      end
    end, 0)
end

local function atCursor()
  local parameters = vim.lsp.util.make_position_params(0, clientOf(0).offset_encoding)
  return {uri = parameters.textDocument.uri, position = parameters.position}
end

-- The kernel at the cursor, or the finding in its line.
function M.run_in_interpreter()
  interpret('warpdrf.runInInterpreter', atCursor())
end

function M.show_witness()
  interpret('warpdrf.showWitness', atCursor())
end

-- Code actions and code lenses bring their argument along.
for _, name in ipairs({'warpdrf.runInInterpreter', 'warpdrf.showWitness'}) do
  vim.lsp.commands[name] = function(command)
    interpret(name, vim.deepcopy(command.arguments[1]))
  end
end

function M.setup(options)
  options = options or {}
  vim.api.nvim_create_user_command('WarpdrfRun', M.run_in_interpreter, {})
  vim.api.nvim_create_user_command('WarpdrfWitness', M.show_witness, {})
  local function start(buffer)
    local root = rootOf(vim.api.nvim_buf_get_name(buffer))
    local config = {
      name = 'warpdrf',
      cmd = options.cmd or {'warpdrf', 'lsp'},
      root_dir = root,
      settings = {warpdrf = options.settings or {}},
      on_attach = options.on_attach,
    }
    if vim.lsp.start then
      vim.lsp.start(config)
      return
    end
    if not clients[root] or not vim.lsp.get_client_by_id(clients[root]) then
      clients[root] = vim.lsp.start_client(config)
    end
    if clients[root] then
      vim.lsp.buf_attach_client(buffer, clients[root])
    end
  end
  vim.api.nvim_create_autocmd('FileType', {
    pattern = 'cuda',
    callback = function(event) start(event.buf) end,
  })
end

return M
