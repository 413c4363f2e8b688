import {
  Box3,
  DoubleSide,
  Group,
  Mesh,
  MeshStandardMaterial,
  type Object3D,
  PerspectiveCamera,
  PMREMGenerator,
  Scene,
  Sphere,
  WebGLRenderer,
} from 'three'
import { OrbitControls } from 'three/addons/controls/OrbitControls.js'
import { RoomEnvironment } from 'three/addons/environments/RoomEnvironment.js'
import { GLTFLoader } from 'three/addons/loaders/GLTFLoader.js'
import { MOST_MODEL_BYTES } from '@/shared/lib/model-files'

/** Height of the view. */
const VIEW_DEGREES = 35
/** How far a key turns the model. */
const TURN = Math.PI / 16
/** Turns around the vertical and the horizontal axis. */
const KEYS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-TURN, 0],
  ArrowRight: [TURN, 0],
  ArrowUp: [0, -TURN],
  ArrowDown: [0, TURN],
}

/**
 * Draws the GLB file at a URL into a box. Pointer and arrow keys turn it; the wheel zooms once the drawing has the focus,
 * so that the page still scrolls. Resolves to a function that removes the drawing. Rejects for a file that is no model,
 * and without WebGL.
 */
export async function drawModel(
  box: HTMLElement,
  url: string,
  label: string,
  signal: AbortSignal,
): Promise<() => void> {
  const response = await fetch(url, { credentials: 'same-origin', signal })
  if (!response.ok) throw new Error(`the file cannot be read: ${response.status}`)
  if (Number(response.headers.get('content-length')) > MOST_MODEL_BYTES) throw new Error('the file is too large')
  const { scene: model, parser } = await new GLTFLoader().parseAsync(await response.arrayBuffer(), '')
  signal.throwIfAborted()
  complete(model, parser.json.materials === undefined)
  const ball = new Box3().setFromObject(model).getBoundingSphere(new Sphere())
  if (!(ball.radius > 0)) throw new Error('the model has no shape')
  model.position.sub(ball.center)
  const turned = new Group().add(model)

  const renderer = new WebGLRenderer({ alpha: true, antialias: true })
  renderer.setPixelRatio(Math.min(window.devicePixelRatio, 2))
  const lights = new PMREMGenerator(renderer)
  const scene = new Scene()
  scene.environment = lights.fromScene(new RoomEnvironment()).texture
  lights.dispose()
  scene.add(turned)
  const distance = (1.1 * ball.radius) / Math.sin((VIEW_DEGREES * Math.PI) / 360)
  const camera = new PerspectiveCamera(VIEW_DEGREES, 1, distance / 100, distance * 10)
  camera.position.set(0.5, 0.35, 1).setLength(distance)
  const render = () => renderer.render(scene, camera)

  const canvas = renderer.domElement
  canvas.tabIndex = 0
  canvas.setAttribute('role', 'img')
  canvas.setAttribute('aria-label', label)
  const controls = new OrbitControls(camera, canvas)
  controls.enablePan = false
  controls.enableZoom = false
  controls.minDistance = ball.radius
  controls.maxDistance = 4 * distance
  controls.addEventListener('change', render)
  // A finger that moves up or down scrolls the page.
  canvas.style.touchAction = 'pan-y'
  canvas.addEventListener('focus', () => {
    controls.enableZoom = true
  })
  canvas.addEventListener('blur', () => {
    controls.enableZoom = false
  })
  canvas.addEventListener('keydown', (event) => {
    const turn = KEYS[event.key]
    if (!turn) return
    event.preventDefault()
    turned.rotation.y += turn[0]
    turned.rotation.x += turn[1]
    render()
  })

  const resizes = new ResizeObserver(() => {
    const { clientWidth, clientHeight } = box
    if (clientWidth === 0 || clientHeight === 0) return
    camera.aspect = clientWidth / clientHeight
    camera.updateProjectionMatrix()
    renderer.setSize(clientWidth, clientHeight, false)
    render()
  })
  controls.update()
  box.append(canvas)
  resizes.observe(box)
  return () => {
    resizes.disconnect()
    controls.dispose()
    renderer.dispose()
    // Browsers allow few contexts at once, and free them late.
    renderer.forceContextLoss()
    canvas.remove()
  }
}

/** Adds what a file with the shape alone lacks: normals, and a surface that is not a black mirror. */
function complete(model: Object3D, isBare: boolean): void {
  model.traverse((part) => {
    if (!(part instanceof Mesh)) return
    if (!part.geometry.hasAttribute('normal')) part.geometry.computeVertexNormals()
    if (!isBare) return
    const vertexColors = part.geometry.hasAttribute('color')
    const color = vertexColors ? 0xffffff : 0xb9b4aa
    part.material = new MeshStandardMaterial({ color, vertexColors, roughness: 0.75, side: DoubleSide })
  })
}
