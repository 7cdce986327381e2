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

function M.setup(options)
  options = options or {}
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
