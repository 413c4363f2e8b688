// What the front end's own commands do here, and its read-only state.
//
// Licence: GPL-3.0-only (LICENSE.txt).

/** Commands for an account at Comfy Org, for its help pages, and for the server's own machine. */
const UNUSED = new Set([
  'Comfy.BrowseTemplates',
  'Comfy.ContactSupport',
  'Comfy.Help.OpenComfyOrgDiscord',
  'Comfy.Help.OpenComfyUIDocs',
  'Comfy.Help.OpenComfyUIForum',
  'Comfy.Help.OpenComfyUIIssues',
  'Comfy.Manager.CustomNodesManager.ShowCustomNodesMenu',
  'Comfy.Memory.UnloadModels',
  'Comfy.Memory.UnloadModelsAndExecutionCache',
  'Comfy.OpenManagerDialog',
  'Comfy.ToggleHelpCenter',
  'Comfy.User.OpenSignInDialog',
  'Workspace.ToggleBottomPanelTab.command-terminal',
  'Workspace.ToggleBottomPanelTab.logs-terminal',
])
const SAVES = new Set(['Comfy.SaveWorkflow', 'Comfy.SaveWorkflowAs'])
const VIEWS = /^(Comfy\.Canvas\.(ResetView|Zoom|FitView|ToggleLinkVisibility|ToggleMinimap)|Comfy\.Graph\.ExitSubgraph)/

/** Replaces the functions of commands. `save` asks the page around the frame to save. */
export function replaceCommands(app, { readonly, save }) {
  for (const command of app.extensionManager.command.commands) {
    if (UNUSED.has(command.id) || (readonly && !VIEWS.test(command.id))) command.function = () => {}
    else if (SAVES.has(command.id)) command.function = save
  }
}

/** Makes the graph read-only, and shows nothing beside it. */
export function lock(app) {
  const { canvas } = app
  canvas.read_only = true
  // The space bar and the middle button would switch it back.
  Object.defineProperty(canvas.state, 'readOnly', { get: () => true, set() {}, configurable: true })
  canvas.allow_dragnodes = false
  canvas.allow_interaction_links = false
  canvas.allow_searchbox = false
  app.queuePrompt = async () => false
  // Hides tabs, menu and side bar. A button of the page would show them again.
  const workspace = app.extensionManager
  const hide = () => {
    if (!workspace.focusMode) workspace.focusMode = true
  }
  hide()
  workspace.$subscribe?.(hide)
  canvas.setDirty(true, true)
}
