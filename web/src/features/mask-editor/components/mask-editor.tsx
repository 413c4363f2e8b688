import { useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import type { Asset } from '@/shared/api/types'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { useConfirm } from '@/shared/ui/dialog'
import { keepFocus, useEscape } from '@/shared/ui/layers'
import { toast } from '@/shared/ui/toast'
import { useSaveMask } from '../api'
import { LIMITS, NAMES, readSettings, type Settings, SIZE_STEP, within, writeSettings } from '../settings'
import { type Tool, useDrawing } from '../use-drawing'
import styles from './mask-editor.module.css'

type Picture = { id: string; name: string; url: string }
type MaskEditorProps = { picture: Picture; onClose: () => void; onSaved: (asset: Asset) => void }

const TOOLS = [
  { tool: 'brush', key: 'B', icon: 'pencil' },
  { tool: 'eraser', key: 'E', icon: 'reset' },
  { tool: 'fill', key: 'G', icon: 'tag' },
] as const

/** Draws a mask on a picture. Saving makes a new picture. */
export default function MaskEditor({ picture, onClose, onSaved }: MaskEditorProps) {
  const { t } = useTranslation('maskEditor')
  const { t: common } = useTranslation()
  const ask = useConfirm()
  const text = useProblemText()
  const save = useSaveMask()
  const layer = useRef<HTMLDivElement>(null)
  const [tool, setTool] = useState<Tool>('brush')
  const [settings, setSettings] = useState(readSettings)
  const { refs, open, state, file } = useDrawing(picture.url, tool, settings)
  const ready = state.phase === 'ready'

  const set = (name: keyof Settings, value: number) => {
    const next = { ...settings, [name]: within(name, value) }
    setSettings(next)
    writeSettings(next)
  }
  const send = async () => {
    if (save.isPending) return
    try {
      const mask = await file()
      if (typeof mask === 'string') return toast.error(t(mask))
      const asset = await save.mutateAsync({ original: picture, mask })
      open.current?.drawing.noteSaved()
      toast.success(t('saved'))
      onSaved(asset)
    } catch (error) {
      toast.error(t('failed', { error: text(error) }))
    }
  }
  const close = async () => {
    const unsaved = open.current?.drawing.isUnsaved
    const question = { title: t('leaveTitle'), text: t('leaveText'), action: t('leave'), danger: true }
    if (!unsaved || (await ask(question))) onClose()
  }
  useEscape(true, () => void close())

  const acts = {
    undo: () => open.current?.drawing.undo(),
    redo: () => open.current?.drawing.redo(),
    clear: () => open.current?.drawing.clear(),
    invert: () => open.current?.drawing.invert(),
  }
  const keys = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.altKey || event.isComposing) return
    // A dialog above the editor handles its own keys.
    if (!layer.current?.contains(event.target as Node) && event.target !== document.body) return
    const { code } = event
    const command = event.ctrlKey || event.metaKey
    const does = command ? { KeyZ: event.shiftKey ? acts.redo : acts.undo, KeyS: () => void send() } : plain()
    const act = (does as Record<string, (() => void) | undefined>)[code]
    // Space presses a focused button.
    if (!act || (code === 'Space' && event.target instanceof HTMLButtonElement)) return
    event.preventDefault()
    act()
  }
  const plain = () => ({
    KeyB: () => setTool('brush'),
    KeyE: () => setTool('eraser'),
    KeyG: () => setTool('fill'),
    BracketLeft: () => set('size', settings.size - SIZE_STEP),
    BracketRight: () => set('size', settings.size + SIZE_STEP),
    Space: () => push(true),
  })
  const push = (pushes: boolean) => {
    if (open.current) open.current.stage.pushes = pushes
  }
  const latest = useRef({ keys, push })
  latest.current = { keys, push }
  useEffect(() => {
    const before = document.activeElement
    const { overflow } = document.body.style
    document.body.style.overflow = 'hidden'
    layer.current?.focus()
    const down = (event: KeyboardEvent) => latest.current.keys(event)
    const up = (event: KeyboardEvent) => event.code === 'Space' && latest.current.push(false)
    document.addEventListener('keydown', down)
    document.addEventListener('keyup', up)
    return () => {
      document.removeEventListener('keydown', down)
      document.removeEventListener('keyup', up)
      document.body.style.overflow = overflow
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])

  return createPortal(
    <div
      ref={layer}
      className={styles.layer}
      role="dialog"
      aria-modal="true"
      aria-label={t('title')}
      tabIndex={-1}
      onKeyDown={(event) => event.key === 'Tab' && keepFocus(event, layer.current)}
    >
      <div className={styles.bar}>
        {TOOLS.map((one) => (
          <Button
            key={one.tool}
            size="small"
            tone={tool === one.tool ? 'outline' : 'ghost'}
            icon={one.icon}
            aria-pressed={tool === one.tool}
            title={one.key}
            onClick={() => setTool(one.tool)}
          >
            {t(`tools.${one.tool}`)}
          </Button>
        ))}
        <Button size="small" tone="ghost" disabled={!state.canUndo} onClick={acts.undo}>
          {t('undo')}
        </Button>
        <Button size="small" tone="ghost" disabled={!state.canRedo} onClick={acts.redo}>
          {t('redo')}
        </Button>
        <Button size="small" tone="ghost" disabled={!ready} onClick={acts.invert}>
          {t('invert')}
        </Button>
        <Button size="small" tone="ghost" disabled={!ready} onClick={acts.clear}>
          {t('clear')}
        </Button>
        <span className={styles.room} />
        <Button size="small" tone="ghost" aria-label={t('zoomOut')} onClick={() => open.current?.stage.zoomBy(1 / 1.1)}>
          {'−'}
        </Button>
        <Button
          size="small"
          tone="ghost"
          aria-label={t('fit', { percent: Math.round(state.zoom * 100) })}
          onClick={() => open.current?.stage.open()}
        >
          {`${Math.round(state.zoom * 100)}%`}
        </Button>
        <Button size="small" tone="ghost" aria-label={t('zoomIn')} onClick={() => open.current?.stage.zoomBy(1.1)}>
          {'+'}
        </Button>
        <span className={styles.ends}>
          <Button size="small" tone="primary" busy={save.isPending} onClick={() => void send()}>
            {t('save')}
          </Button>
          <Button size="small" tone="ghost" icon="close" aria-label={common('close')} onClick={() => void close()} />
        </span>
      </div>
      <div
        ref={refs.box}
        className={styles.stage}
        role="application"
        aria-label={t('stage')}
        onPointerEnter={() => layer.current?.focus()}
      >
        <canvas ref={refs.picture} />
        <canvas ref={refs.mask} data-testid="mask-layer" style={{ opacity: settings.layerOpacity }} />
        <div ref={refs.ring} className={styles.ring} />
        {!ready && <p role="status">{t(state.phase === 'failed' ? 'loadFailed' : 'loading')}</p>}
      </div>
      <div className={styles.settings}>
        {NAMES.map((name) => (
          <label key={name}>
            <span>{t(`settings.${name}`)}</span>
            <input
              type="range"
              min={LIMITS[name].min}
              max={LIMITS[name].max}
              step={LIMITS[name].step}
              value={settings[name]}
              onChange={(event) => set(name, event.target.valueAsNumber)}
            />
            <output>{Math.round(settings[name] * 100) / 100}</output>
          </label>
        ))}
      </div>
    </div>,
    document.body,
  )
}
