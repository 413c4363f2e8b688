// Masks are drawn in the page around the frame. The front end's own mask editor stays for nodes without an input picture.
//
// Licence: GPL-3.0-only (LICENSE.txt).

/** The widget that names a node's input picture. */
export const pictureWidget = (node) => node?.widgets?.find((widget) => widget.name === 'image')

/**
 * Asks the page to draw a mask on the picture of a node: the selected one, or the only one of the graph that takes
 * pictures. `all` are the graph's nodes with their ids.
 */
export function drawMaskOn(selected, all, post) {
  const images = [...all].filter(({ node }) => pictureWidget(node))
  const chosen = images.filter(({ node }) => selected.includes(node))
  const found = chosen.length === 1 ? chosen[0] : images.length === 1 ? images[0] : null
  post({
    type: 'maskRequested',
    nodeId: found ? String(found.id) : '',
    value: found ? String(pictureWidget(found.node).value ?? '') : images.length > 1 ? null : '',
  })
}

/** Opens the page's editor where the front end would open its own: by a command, a menu, or a button of a node. */
export function replaceMaskEditor(app, draw) {
  const takesOver = (node) => {
    const takes = pictureWidget(node) !== undefined
    if (takes) draw(node)
    return takes
  }
  for (const command of app.extensionManager.command.commands) {
    if (command.id !== 'Comfy.MaskEditor.OpenMaskEditor') continue
    const stock = command.function
    command.function = (...rest) => {
      const [node, ...others] = Object.values(app.canvas.selected_nodes ?? {})
      return others.length === 0 && takesOver(node) ? undefined : stock.apply(command, rest)
    }
  }
  const dialogs = document.getElementById('vue-app')?.__vue_app__?.config.globalProperties.$pinia?._s.get('dialog')
  if (!dialogs) return
  const stock = dialogs.showDialog
  dialogs.showDialog = (options, ...rest) =>
    options?.key === 'global-mask-editor' && takesOver(options.props?.node) ? undefined : stock(options, ...rest)
}
