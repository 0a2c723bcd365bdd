-- Tries `fedcheck lsp` with Neovim, on its built-in client:
--     FEDCHECK=.../bin/fedcheck nvim --headless -u NONE -i NONE -n -c "luafile …/editor_trial.lua"
-- in an empty folder. Ends with 1 at the first thing that is not as it has to be.

local function expect(what, wanted, got)
    if not vim.deep_equal(wanted, got) then
        io.stderr:write(("FAILED: %s: %s instead of %s\n"):format(what, vim.inspect(got), vim.inspect(wanted)))
        vim.cmd("cquit 1")
    end
    io.stdout:write(what .. ": as expected\n")
end

local function write(name, ...)
    vim.fn.writefile({ ... }, name)
end

write("requirements.txt", "imperal-sdk==6.3.7")
write("helpers.py", "async def load(ctx):", "    return await ctx.cache.get('notes')")
write(
    "main.py",
    "from imperal_sdk import Extension",
    "",
    "from helpers import load",
    "",
    'ext = Extension("notes", capabilities=["notes:read"])',
    "",
    "",
    '@ext.panel("notes")',
    "async def notes(ctx):",
    '    who = "🎈" + ctx.user.id',
    "    return who, await load(ctx)"
)

vim.cmd("edit main.py")
local buffer = vim.api.nvim_get_current_buf()
local number = vim.lsp.start_client({
    cmd = { os.getenv("FEDCHECK"), "lsp" },
    root_dir = vim.fn.getcwd(),
    name = "fedcheck",
})
vim.lsp.buf_attach_client(buffer, number)
local client = vim.lsp.get_client_by_id(number)

-- told(line) returns the codes at a line, counted from 1, and where in bytes they begin and end.
local function told(line)
    local found = {}
    for _, each in ipairs(vim.diagnostic.get(buffer, { lnum = line - 1 })) do
        table.insert(found, { each.code, each.col, each.end_col })
    end
    return found
end

local function wait_for(what, line, wanted)
    vim.wait(20000, function()
        return vim.deep_equal(wanted, told(line))
    end)
    expect(what, wanted, told(line))
end

local function ask(method, params)
    local answer = client.request_sync(method, params, 20000, buffer)
    return answer and answer.result
end

wait_for("a finding behind a character of four bytes", 10, { { "FED105", 19, 30 } })

vim.api.nvim_win_set_cursor(0, { 10, 25 })
local page = ask("textDocument/hover", vim.lsp.util.make_position_params())
expect("hover shows the rule's page", true, page.contents.value:find("## What it does", 1, true) ~= nil)

local params = vim.lsp.util.make_range_params()
params.context = { diagnostics = {} }
local actions = ask("textDocument/codeAction", params)
local titles = vim.tbl_map(function(action)
    return action.title
end, actions)
expect("actions", { "FED105: Use imperal_id", "FED105: Ignore here; write the reason behind it" }, titles)
vim.lsp.util.apply_workspace_edit(actions[1].edit, client.offset_encoding)
local fixed = vim.api.nvim_buf_get_lines(buffer, 9, 10, true)
expect("the fix changes the name alone", { '    who = "🎈" + ctx.user.imperal_id' }, fixed)
wait_for("what is fixed is silent", 10, {})

vim.api.nvim_buf_set_lines(buffer, 10, 11, true, { "    return ctx.skeleton_data" })
wait_for("a line that is typed and not saved", 11, { { "FED103", 11, 28 } })
vim.cmd("undo")
wait_for("a line that is taken back", 11, {})

client.stop()
vim.wait(5000, client.is_stopped)
expect("the server ends", true, client.is_stopped())
vim.cmd("qall!")
