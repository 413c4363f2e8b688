import { useCallback, useEffect, useRef, useState } from 'react'
import { Drawing } from './engine/drawing'
import type { Settings } from './settings'
import { Stage, type StageElements } from './stage'
import { WorkerClient } from './tools'

export type Tool = 'brush' | 'eraser' | 'fill'
type Open = { drawing: Drawing; stage: Stage; tools: WorkerClient }
type State = {
  phase: 'opening' | 'failed' | 'ready'
  canUndo: boolean
  canRedo: boolean
  zoom: number
  pressed: boolean
}
/** The history is packed for this long at a time, with pauses for input and frames. */
const PACK_MS = 4
const PAUSE_MS = 12

type Sources = { url: string; coloursUrl: string }

async function load(url: string): Promise<Blob> {
  const answer = await fetch(url, { credentials: 'same-origin' })
  if (!answer.ok) throw new Error(`cannot load the picture: status ${answer.status}`)
  return answer.blob()
}

/**
 * Reads the picture for the stage and for the worker. A picture with transparent parts begins with them as its mask. Its
 * colours below the mask are read apart, because browsers drop the colours of transparent pixels.
 */
async function readPicture({ url, coloursUrl }: Sources, tools: WorkerClient) {
  const file = await load(url)
  const initial = await tools.read(await createImageBitmap(file))
  const shown = initial ? await load(coloursUrl) : file
  if (initial) await tools.read(await createImageBitmap(shown))
  return { initial, image: await createImageBitmap(shown) }
}

/** Opens a picture on the stage and draws with the current tool and settings. */
export function useDrawing(
  { url, coloursUrl }: Sources,
  tool: Tool,
  settings: Settings,
  onFillFailed: (error: unknown) => void,
) {
  const box = useRef<HTMLDivElement>(null)
  const picture = useRef<HTMLCanvasElement>(null)
  const mask = useRef<HTMLCanvasElement>(null)
  const ring = useRef<HTMLDivElement>(null)
  const open = useRef<Open>(null)
  const [state, setState] = useState<State>({
    phase: 'opening',
    canUndo: false,
    canRedo: false,
    zoom: 1,
    pressed: false,
  })
  const latest = useRef({ tool, settings, onFillFailed })
  latest.current = { tool, settings, onFillFailed }

  useEffect(() => {
    let gone = false
    let packing = 0
    const tools = new WorkerClient()
    const begin = async () => {
      const { image, initial } = await readPicture({ url, coloursUrl }, tools)
      if (gone || !box.current || !picture.current || !mask.current || !ring.current) return image.close()
      const parts: StageElements = {
        box: box.current,
        picture: picture.current,
        mask: mask.current,
        ring: ring.current,
      }
      const drawing = new Drawing(image.width, image.height, initial ?? undefined)
      const brush = (erases: boolean) => {
        const { size, opacity, hardness } = latest.current.settings
        return { size, opacity, hardness, erases: erases || latest.current.tool === 'eraser' }
      }
      const stage = new Stage(parts, image, drawing, {
        begin: (mark, { erases, straight }) => {
          if (latest.current.tool !== 'fill') {
            drawing.begin(mark, brush(erases), latest.current.settings.smoothing, straight)
            return
          }
          const { tolerance } = latest.current.settings
          void tools
            .fill(Math.floor(mark.x), Math.floor(mark.y), Math.round(tolerance))
            .then((filled) => !gone && drawing.fill(filled, brush(erases)))
            .catch((error: unknown) => gone || latest.current.onFillFailed(error))
        },
        move: (mark) => drawing.move(mark),
        end: () => drawing.end(),
        cancel: () => drawing.cancel(),
        onZoom: (zoom) => setState((before) => ({ ...before, zoom })),
        onPress: (pressed) => setState((before) => ({ ...before, pressed })),
      })
      stage.setBrushSize(latest.current.settings.size)
      /** Packs the history between frames. */
      const pack = () => {
        packing = 0
        if (!gone && drawing.history.packFor(PACK_MS)) packing = window.setTimeout(pack, PAUSE_MS)
      }
      drawing.onChange(() => {
        packing ||= window.setTimeout(pack, PAUSE_MS)
        const { canUndo, canRedo } = drawing.history
        setState((was) => (was.canUndo === canUndo && was.canRedo === canRedo ? was : { ...was, canUndo, canRedo }))
      })
      open.current = { drawing, stage, tools }
      setState((before) => ({ ...before, phase: 'ready' }))
    }
    begin().catch(() => !gone && setState((before) => ({ ...before, phase: 'failed' })))
    return () => {
      gone = true
      clearTimeout(packing)
      open.current?.stage.close()
      open.current = null
      tools.close()
    }
  }, [url, coloursUrl])
  useEffect(() => open.current?.stage.setBrushSize(settings.size), [settings.size])

  const file = useCallback(async (): Promise<Blob | 'notReady' | 'empty' | 'noData'> => {
    if (!open.current) return 'notReady'
    const { drawing, stage, tools } = open.current
    stage.liftBrush()
    drawing.end()
    if (drawing.mask.isEmpty) return 'empty'
    const blob = await tools.encode(drawing.mask.data)
    return blob.size === 0 ? 'noData' : blob
  }, [])
  return { refs: { box, picture, mask, ring }, open, state, file }
}
