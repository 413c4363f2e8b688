import type { Drawing } from './engine/drawing'
import { EMPTY, type Rect, unionRect } from './engine/mask'
import { onStage, overlayOf } from './engine/overlay'
import {
  MOBILE_BELOW,
  opening,
  pinchZoom,
  revealed,
  type StagePoint,
  toPicture,
  toStage,
  type View,
  wheelFactor,
  zoomAt,
} from './engine/view'

/** A finger draws if no second one follows within this time. */
const TOUCH_MS = 50
/** How far an arrow key moves the view, in pixels of the stage. */
const PAN_STEP = 40

type StagePointer = StagePoint & { pressure: number }

/** Stage callbacks; positions are in pixels of the picture. */
type StageHandlers = {
  begin: (mark: StagePointer, how: { erases: boolean; straight: boolean }) => void
  move: (mark: StagePointer) => void
  end: () => void
  cancel: () => void
  onZoom: (scale: number) => void
  /** The keyboard's brush touches the picture, or was lifted. */
  onPress: (pressed: boolean) => void
}

export type StageElements = { box: HTMLElement; picture: HTMLCanvasElement; mask: HTMLCanvasElement; ring: HTMLElement }

export class Stage {
  /** Space is held: the pointer pans. */
  pushes = false
  private view: View = { scale: 1, x: 0, y: 0 }
  private ratio = 1
  private changed: Rect = EMPTY
  private all = true
  private frame = 0
  private size = 50
  private readonly fingers = new Map<number, StagePoint>()
  private pendingTouch: { timer: number; begin: () => void; marks: StagePointer[] } | null = null
  private doing: { id: number; what: 'draw' | 'push' } | null = null
  /** The keyboard's brush, in pixels of the picture. */
  private brush: StagePoint | null = null
  private pressed = false
  private readonly end = new AbortController()

  constructor(
    private readonly parts: StageElements,
    private readonly image: ImageBitmap,
    private readonly drawing: Drawing,
    private readonly hands: StageHandlers,
  ) {
    const { signal } = this.end
    const { box } = parts
    const on = <K extends keyof HTMLElementEventMap>(name: K, hear: (event: HTMLElementEventMap[K]) => void) =>
      box.addEventListener(name, hear, { signal, passive: false })
    on('pointerdown', (event) => this.down(event))
    on('pointermove', (event) => this.moved(event))
    on('pointerup', (event) => this.up(event, false))
    on('pointercancel', (event) => this.up(event, true))
    on('pointerleave', () => this.brush || this.showRing(null))
    on('contextmenu', (event) => event.preventDefault())
    on('wheel', (event) => {
      event.preventDefault()
      const at = this.spot(event)
      this.look(zoomAt(this.view, this.view.scale * wheelFactor(event.deltaY, event.deltaMode), at.x, at.y))
    })
    const stop = drawing.onChange((rect) => {
      this.changed = unionRect(this.changed, rect)
      this.ask()
    })
    signal.addEventListener('abort', stop)
    const watch = new ResizeObserver(() => this.resize())
    watch.observe(box)
    signal.addEventListener('abort', () => watch.disconnect())
    this.resize()
    this.open()
  }

  close(): void {
    this.end.abort()
    cancelAnimationFrame(this.frame)
    clearTimeout(this.pendingTouch?.timer)
    this.image.close()
  }

  /** Resets to the initial view. */
  open(): void {
    const mobile = window.innerWidth < MOBILE_BELOW && navigator.maxTouchPoints > 0
    this.look(opening(this.image, this.room(), mobile))
  }

  zoomBy(factor: number): void {
    const { width, height } = this.room()
    this.look(zoomAt(this.view, this.view.scale * factor, width / 2, height / 2))
  }

  setBrushSize(size: number): void {
    this.size = size
    this.parts.ring.style.width = `${size * this.view.scale}px`
    this.parts.ring.style.height = `${size * this.view.scale}px`
  }

  /** Moves the keyboard's brush by steps of a quarter of its size, or by one pixel. Moves the view while it pans. */
  moveBrush(right: number, down: number, step: 'quarter' | 'pixel'): void {
    if (this.doing) return
    if (this.pushes) {
      this.look({ ...this.view, x: this.view.x - right * PAN_STEP, y: this.view.y - down * PAN_STEP })
      return
    }
    const by = step === 'pixel' ? 1 : Math.max(1, Math.round(this.size / 4))
    const { x, y } = this.brushSpot()
    const brush = this.inPicture({ x: x + right * by, y: y + down * by })
    this.placeBrush(brush)
    if (this.pressed) this.hands.move({ ...brush, pressure: 1 })
  }

  /** Sets the keyboard's brush down, or lifts it. With `straight` it draws a line from the end of the last stroke. */
  pressBrush(straight: boolean): void {
    if (this.doing) return
    const wasPressed = this.pressed
    this.liftBrush()
    if (wasPressed && !straight) return
    const brush = this.brushSpot()
    this.placeBrush(brush)
    this.press(true)
    this.hands.begin({ ...brush, pressure: 1 }, { erases: false, straight })
    if (straight) this.liftBrush()
  }

  liftBrush(): void {
    if (!this.pressed) return
    this.press(false)
    this.hands.end()
  }

  private press(pressed: boolean): void {
    this.pressed = pressed
    this.parts.ring.toggleAttribute('data-pressed', pressed)
    this.hands.onPress(pressed)
  }

  /** Where the keyboard's brush is: at first in the middle of the visible part. */
  private brushSpot(): StagePoint {
    if (this.brush) return this.brush
    const { width, height } = this.room()
    const { x, y } = toPicture(this.view, { x: width / 2, y: height / 2 })
    return this.inPicture({ x: Math.round(x), y: Math.round(y) })
  }

  /** The nearest point of the picture. */
  private inPicture({ x, y }: StagePoint): StagePoint {
    const { width, height } = this.image
    return { x: Math.min(width, Math.max(0, x)), y: Math.min(height, Math.max(0, y)) }
  }

  private placeBrush(brush: StagePoint): void {
    this.brush = brush
    const at = toStage(this.view, brush)
    const view = revealed(this.view, at, this.room())
    if (view === this.view) this.showRing(at)
    else this.look(view)
  }

  private room() {
    return { width: this.parts.box.clientWidth, height: this.parts.box.clientHeight }
  }

  private look(view: View): void {
    this.view = view
    this.all = true
    this.setBrushSize(this.size)
    this.hands.onZoom(view.scale)
    this.ask()
    if (this.brush) this.showRing(toStage(view, this.brush))
  }

  private resize(): void {
    this.ratio = window.devicePixelRatio || 1
    const { width, height } = this.room()
    for (const canvas of [this.parts.picture, this.parts.mask]) {
      canvas.width = Math.max(1, Math.round(width * this.ratio))
      canvas.height = Math.max(1, Math.round(height * this.ratio))
    }
    this.all = true
    this.ask()
  }

  private ask(): void {
    this.frame ||= requestAnimationFrame(() => {
      this.frame = 0
      this.paint()
    })
  }

  private paint(): void {
    const { mask } = this.parts
    const { view, ratio } = this
    if (this.all) this.paintPicture()
    const whole = { x: 0, y: 0, width: this.image.width, height: this.image.height }
    const area = onStage(this.all ? whole : this.changed, view, ratio, mask)
    const pen = mask.getContext('2d')
    if (this.all) pen?.clearRect(0, 0, mask.width, mask.height)
    if (pen && area.width > 0 && area.height > 0) {
      const shown = new Uint8ClampedArray(overlayOf(this.drawing.mask, area, view, ratio).buffer)
      pen.putImageData(new ImageData(shown, area.width, area.height), area.x, area.y)
    }
    this.all = false
    this.changed = EMPTY
  }

  private paintPicture(): void {
    const { picture } = this.parts
    const pen = picture.getContext('2d')
    if (!pen) return
    const { scale, x, y } = this.view
    pen.setTransform(1, 0, 0, 1, 0, 0)
    pen.clearRect(0, 0, picture.width, picture.height)
    pen.setTransform(scale * this.ratio, 0, 0, scale * this.ratio, x * this.ratio, y * this.ratio)
    pen.imageSmoothingEnabled = scale < 2
    pen.drawImage(this.image, 0, 0)
  }

  private spot(event: MouseEvent): StagePoint {
    const { left, top } = this.parts.box.getBoundingClientRect()
    return { x: event.clientX - left, y: event.clientY - top }
  }

  private mark(event: PointerEvent): StagePointer {
    const pressure = event.pointerType === 'pen' && event.pressure > 0 ? event.pressure : 1
    return { ...toPicture(this.view, this.spot(event)), pressure }
  }

  private showRing(at: StagePoint | null): void {
    const { ring } = this.parts
    ring.style.visibility = at ? 'visible' : 'hidden'
    if (at) ring.style.transform = `translate(${at.x}px, ${at.y}px) translate(-50%, -50%)`
  }

  private down(event: PointerEvent): void {
    event.preventDefault()
    this.liftBrush()
    this.brush = null
    const pen = event.pointerType === 'pen'
    // Ignores a palm beside a pen, and further mouse buttons.
    if (this.doing && (event.pointerType !== 'touch' || this.fingers.has(-1))) return
    this.parts.box.setPointerCapture(event.pointerId)
    if (event.pointerType === 'touch') {
      this.touched(event)
      return
    }
    clearTimeout(this.pendingTouch?.timer)
    this.pendingTouch = null
    const pushes = this.pushes || event.button === 1
    this.doing = { id: event.pointerId, what: pushes ? 'push' : 'draw' }
    this.fingers.clear()
    this.fingers.set(-1, this.spot(event))
    if (!pushes)
      this.hands.begin(this.mark(event), {
        erases: event.button === 2 || (pen && event.button === 5),
        straight: event.shiftKey,
      })
  }

  private touched(event: PointerEvent): void {
    this.fingers.set(event.pointerId, this.spot(event))
    if (this.fingers.size > 1) {
      if (this.pendingTouch) clearTimeout(this.pendingTouch.timer)
      else if (this.doing?.what === 'draw') this.hands.cancel()
      this.pendingTouch = null
      this.doing = { id: event.pointerId, what: 'push' }
      return
    }
    const mark = this.mark(event)
    const begin = () => {
      this.doing = { id: event.pointerId, what: 'draw' }
      this.hands.begin(mark, { erases: false, straight: false })
      for (const later of this.pendingTouch?.marks ?? []) this.hands.move(later)
      this.pendingTouch = null
    }
    this.pendingTouch = { timer: window.setTimeout(begin, TOUCH_MS), begin, marks: [] }
  }

  private moved(event: PointerEvent): void {
    const at = this.spot(event)
    if (!this.pressed) this.showRing(event.pointerType === 'touch' ? null : at)
    if (this.pendingTouch && this.fingers.has(event.pointerId)) {
      this.pendingTouch.marks.push(this.mark(event))
    } else if (this.doing?.what === 'push') {
      this.push(event, at)
    } else if (this.doing?.id === event.pointerId) {
      const all = event.getCoalescedEvents?.() ?? []
      for (const one of all.length > 0 ? all : [event]) this.hands.move(this.mark(one))
    }
  }

  private push(event: PointerEvent, at: StagePoint): void {
    const id = event.pointerType === 'touch' ? event.pointerId : -1
    const from = this.fingers.get(id)
    if (!from) return
    const before = [...this.fingers.values()]
    this.fingers.set(id, at)
    const after = [...this.fingers.values()]
    const [a, b] = before
    const [c, d] = after
    if (a && b && c && d) this.look(pinchZoom(this.view, [a, b], [c, d]))
    else if (id === -1) this.look({ ...this.view, x: this.view.x + at.x - from.x, y: this.view.y + at.y - from.y })
  }

  private up(event: PointerEvent, canceled: boolean): void {
    // A tap draws a dot.
    if (this.pendingTouch && this.fingers.has(event.pointerId)) {
      clearTimeout(this.pendingTouch.timer)
      if (!canceled) this.pendingTouch.begin()
      this.pendingTouch = null
    }
    this.fingers.delete(event.pointerType === 'touch' ? event.pointerId : -1)
    if (!this.doing) return
    if (this.doing.what === 'draw' && this.doing.id === event.pointerId) {
      if (canceled) this.hands.cancel()
      else this.hands.end()
      this.doing = null
    } else if (this.doing.what === 'push' && this.fingers.size === 0) {
      this.doing = null
    }
  }
}
