import { type ComponentProps, useEffect, useId, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from 'react-i18next'
import { classNames } from '@/shared/lib/class-names'
import { useProblemText } from '@/shared/lib/problem-text'
import { Button } from '@/shared/ui/button'
import { useConfirm } from '@/shared/ui/dialog'
import { keepFocus, useEscape } from '@/shared/ui/layers'
import { toast } from '@/shared/ui/toast'
import { type MaskedPicture, type PictureRef, pictureUrl, useSaveMask } from '../api'
import { WHEEL_FACTOR } from '../engine/view'
import { isCommand, keyName } from '../keys'
import { LIMITS, NAMES, readSettings, type Settings, SIZE_STEP, within, writeSettings } from '../settings'
import { type Tool, useDrawing } from '../use-drawing'
import styles from './mask-editor.module.css'

/** Without `url` the editor's host sends the file. */
type Picture = { ref: PictureRef; name: string; url?: string }
type MaskEditorProps = { picture: Picture; onClose: () => void; onSaved: (masked: MaskedPicture) => void }

const TOOLS = [
  { tool: 'brush', key: 'B', icon: 'brush' },
  { tool: 'eraser', key: 'E', icon: 'eraser' },
  { tool: 'fill', key: 'G', icon: 'fill' },
] as const

/** Draws a mask on a picture. Saving makes a new picture. */
export default function MaskEditor({ picture, onClose, onSaved }: MaskEditorProps) {
  const { t } = useTranslation('maskEditor')
  const { t: common } = useTranslation()
  const ask = useConfirm()
  const text = useProblemText()
  const save = useSaveMask()
  const layer = useRef<HTMLDivElement>(null)
  const help = useId()
  const [tool, setTool] = useState<Tool>('brush')
  const [settings, setSettings] = useState(readSettings)
  const sources = { url: picture.url ?? pictureUrl(picture.ref), coloursUrl: pictureUrl(picture.ref, 'rgb') }
  const { refs, open, state, file } = useDrawing(sources, tool, settings, (error) =>
    toast.error(t('fillFailed'), error),
  )
  const ready = state.phase === 'ready'
  const percent = Math.round(state.zoom * 100)

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
      const masked = await save.mutateAsync({ original: picture, mask })
      open.current?.drawing.noteSaved()
      toast.success(t('saved'))
      onSaved(masked)
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
    zoomIn: () => open.current?.stage.zoomBy(WHEEL_FACTOR),
    zoomOut: () => open.current?.stage.zoomBy(1 / WHEEL_FACTOR),
    fit: () => open.current?.stage.open(),
  }
  const keys = (event: KeyboardEvent) => {
    const command = isCommand(event)
    if (event.defaultPrevented || event.isComposing || (event.altKey && !event.getModifierState('AltGraph'))) return
    // A dialog above the editor handles its own keys.
    if (!layer.current?.contains(event.target as Node) && event.target !== document.body) return
    const key = keyName(event)
    const shortcuts: Record<string, () => void> = command
      ? { z: event.shiftKey ? acts.redo : acts.undo, s: () => void send() }
      : { ...plain(), ...(event.target === refs.box.current && onStage(event.shiftKey)) }
    const act = shortcuts[key]
    // Space presses a focused button.
    if (!act || (key === ' ' && event.target instanceof HTMLButtonElement)) return
    event.preventDefault()
    act()
  }
  const plain = () => ({
    b: () => setTool('brush'),
    e: () => setTool('eraser'),
    g: () => setTool('fill'),
    '[': () => set('size', settings.size - SIZE_STEP),
    ']': () => set('size', settings.size + SIZE_STEP),
    ' ': () => push(true),
  })
  /** Draws without a pointer. */
  const onStage = (shift: boolean) => {
    const move = (right: number, down: number) => () =>
      open.current?.stage.moveBrush(right, down, shift ? 'pixel' : 'quarter')
    return {
      ArrowLeft: move(-1, 0),
      ArrowRight: move(1, 0),
      ArrowUp: move(0, -1),
      ArrowDown: move(0, 1),
      Enter: () => open.current?.stage.pressBrush(shift),
      '+': acts.zoomIn,
      '-': acts.zoomOut,
      '0': acts.fit,
    }
  }
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
    const up = (event: KeyboardEvent) => keyName(event) === ' ' && latest.current.push(false)
    // Before the page below, which may have a Ctrl+S of its own.
    document.addEventListener('keydown', down, true)
    document.addEventListener('keyup', up)
    return () => {
      document.removeEventListener('keydown', down, true)
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
        <span className={styles.group}>
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
        </span>
        <span className={styles.group}>
          <BarButton
            icon="undo"
            aria-label={t('undo')}
            title={t('undo')}
            disabled={!state.canUndo}
            onClick={acts.undo}
          />
          <BarButton
            icon="redo"
            aria-label={t('redo')}
            title={t('redo')}
            disabled={!state.canRedo}
            onClick={acts.redo}
          />
          <BarButton disabled={!ready} onClick={acts.invert}>
            {t('invert')}
          </BarButton>
          <BarButton disabled={!ready} onClick={acts.clear}>
            {t('clear')}
          </BarButton>
        </span>
        <span className={classNames(styles.group, styles.zoom)}>
          <BarButton icon="minus" aria-label={t('zoomOut')} onClick={acts.zoomOut} />
          <BarButton aria-label={t('fit', { percent })} onClick={acts.fit}>
            {`${percent}%`}
          </BarButton>
          <BarButton icon="plus" aria-label={t('zoomIn')} onClick={acts.zoomIn} />
        </span>
        <span className={classNames(styles.group, styles.ends)}>
          <Button size="small" tone="primary" busy={save.isPending} onClick={() => void send()}>
            {t('save')}
          </Button>
          <BarButton icon="close" aria-label={common('close')} onClick={() => void close()} />
        </span>
      </div>
      <div
        ref={refs.box}
        className={styles.stage}
        role="application"
        aria-label={t('stage')}
        aria-describedby={help}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the stage takes the keys of the keyboard's brush.
        tabIndex={0}
        onPointerEnter={() => refs.box.current?.focus()}
        onBlur={() => open.current?.stage.liftBrush()}
      >
        <span id={help} className="visually-hidden">
          {t('stageHelp')}
        </span>
        <span role="status" className="visually-hidden">
          {state.pressed && t('pressed')}
        </span>
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

function BarButton(props: ComponentProps<typeof Button>) {
  return <Button size="small" tone="ghost" {...props} />
}
