import { jsonText, type Value } from './text'

export type Fields = { readonly [key: string]: Value | undefined }

/** A workflow as a file has it. */
export type Sample = {
  name: string
  text: string
  /** How many nodes the canvas shows. */
  nodes: number
  /** How many links it has there. */
  links?: number
  /** The same after an import, where the front end must name something else. */
  imported?: string
}

/** Sockets of classes, each with its name and type. A socket with one word is named after its type. */
const SOCKETS: Record<string, { in: string; out: string }> = {
  CheckpointLoaderSimple: { in: '', out: 'MODEL CLIP VAE' },
  CLIPTextEncode: { in: 'clip:CLIP', out: 'CONDITIONING' },
  ConditioningCombine: { in: 'conditioning_1:CONDITIONING conditioning_2:CONDITIONING', out: 'CONDITIONING' },
  ControlNetApply: { in: 'conditioning:CONDITIONING control_net:CONTROL_NET image:IMAGE', out: 'CONDITIONING' },
  ControlNetLoader: { in: '', out: 'CONTROL_NET' },
  EmptyImage: { in: '', out: 'IMAGE' },
  EmptyLatentImage: { in: '', out: 'LATENT' },
  ImageBlend: { in: 'image1:IMAGE image2:IMAGE', out: 'IMAGE' },
  ImageBlur: { in: 'image:IMAGE', out: 'IMAGE' },
  ImageInvert: { in: 'image:IMAGE', out: 'IMAGE' },
  ImageScale: { in: 'image:IMAGE', out: 'IMAGE' },
  ImageSharpen: { in: 'image:IMAGE', out: 'IMAGE' },
  KSampler: { in: 'model:MODEL positive:CONDITIONING negative:CONDITIONING latent_image:LATENT', out: 'LATENT' },
  LatentUpscale: { in: 'samples:LATENT', out: 'LATENT' },
  LoadImage: { in: '', out: 'IMAGE MASK' },
  LoraLoader: { in: 'model:MODEL clip:CLIP', out: 'MODEL CLIP' },
  MarkdownNote: { in: '', out: '' },
  Note: { in: '', out: '' },
  PreviewAny: { in: 'source:*', out: '' },
  PreviewImage: { in: 'images:IMAGE', out: '' },
  PrimitiveInt: { in: '', out: 'INT' },
  Reroute: { in: ':*', out: ':*' },
  SaveImage: { in: 'images:IMAGE', out: '' },
  StringConcatenate: { in: '', out: 'STRING' },
  VAEDecode: { in: 'samples:LATENT vae:VAE', out: 'IMAGE' },
  VAELoader: { in: '', out: 'VAE' },
  VerdigraphFlowField: { in: '', out: 'IMAGE' },
}

type Socket = { name: string; type: string }
const socketsOf = (text: string): Socket[] =>
  text
    .split(' ')
    .filter((one) => one !== '')
    .map((one) => {
      const [name = '', type = name] = one.split(':')
      return { name, type }
    })

type Id = number | string
export type NodeSpec = {
  id: Id
  type: string
  at: Value
  /** Sockets of a class that is not listed above. */
  in?: string
  out?: string
  /** More fields for inputs, by name. An input that the class does not have is added. */
  inputs?: Record<string, Fields>
  /** More fields. `undefined` leaves a field out. */
  fields?: Fields
}

/** `4.0 > 3.1 MODEL`: output 0 of node 4 to input 1 of node 3. */
export type LinkSpec = string

type Link = { id: number; from: string; out: number; to: string; in: number; type: string }
const linksOf = (links: readonly LinkSpec[], first: number): Link[] =>
  links.map((text, index) => {
    const parts = /^(\S+)\.(\d+) > (\S+)\.(\d+) (\S+)$/.exec(text)
    if (!parts) throw new Error(`${text} is not a link`)
    const [, from = '', out, to = '', input, type = ''] = parts
    return { id: first + index, from, out: Number(out), to, in: Number(input), type }
  })

const idOf = (nodes: readonly NodeSpec[], text: string): Id =>
  nodes.find(({ id }) => String(id) === text)?.id ?? Number(text)

export const linkArrays = (nodes: readonly NodeSpec[], links: readonly LinkSpec[]): Value =>
  linksOf(links, 1).map((link) => [link.id, idOf(nodes, link.from), link.out, idOf(nodes, link.to), link.in, link.type])

/** Links of a version 1 graph. `first` is the id of the first one. */
export const linkObjects = (nodes: readonly NodeSpec[], links: readonly LinkSpec[], first = 1): Fields[] =>
  linksOf(links, first).map((link) => ({
    id: link.id,
    origin_id: idOf(nodes, link.from),
    origin_slot: link.out,
    target_id: idOf(nodes, link.to),
    target_slot: link.in,
    type: link.type,
  }))

/** Nodes as files have them, with their ends of the links. */
export function nodesOf(specs: readonly NodeSpec[], links: readonly LinkSpec[], first = 1): Fields[] {
  const all = linksOf(links, first)
  return specs.map((spec, order) => {
    const sockets = SOCKETS[spec.type] ?? { in: '', out: '' }
    const known = socketsOf(spec.in ?? sockets.in)
    const added = Object.entries(spec.inputs ?? {}).filter(([name]) => !known.some((one) => one.name === name))
    const inputs = [...known, ...added.map(([name, more]) => ({ name, type: String(more.type) }))]
    return {
      id: spec.id,
      type: spec.type,
      pos: spec.at,
      size: [315, 262],
      flags: {},
      order,
      mode: 0,
      inputs: inputs.map(({ name, type }, slot) => {
        const link = all.find((one) => one.to === String(spec.id) && one.in === slot)
        return { name, type, link: link?.id ?? null, ...spec.inputs?.[name] }
      }),
      outputs: socketsOf(spec.out ?? sockets.out).map(({ name, type }, slot) => {
        const found = all.filter((one) => one.from === String(spec.id) && one.out === slot)
        return { name, type, links: found.length > 0 ? found.map(({ id }) => id) : null, slot_index: slot }
      }),
      properties: { 'Node name for S&R': spec.type },
      ...spec.fields,
    }
  })
}

const largestOf = (ids: readonly Id[]) => Math.max(0, ...ids.filter((id): id is number => typeof id === 'number'))

/** A workflow of version 0.4, as nearly all files are. */
export function workflow(
  name: string,
  nodes: readonly NodeSpec[],
  links: readonly LinkSpec[] = [],
  more: Fields = {},
): Sample {
  const value: Fields = {
    last_node_id: largestOf(nodes.map(({ id }) => id)),
    last_link_id: links.length,
    nodes: nodesOf(nodes, links),
    links: linkArrays(nodes, links),
    groups: [],
    config: {},
    extra: {},
    version: 0.4,
    ...more,
  }
  return { name, text: jsonText(value), nodes: nodes.length, links: links.length }
}

/** A prompt in the format of the API. */
export const prompt = (name: string, nodes: Record<string, Fields>): Sample => ({
  name,
  text: jsonText(nodes),
  nodes: Object.keys(nodes).length,
})
