import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { contentOf } from './files.js'
import { unchanged, write } from './numbers.js'

/**
 * Files that ffmpeg and Pillow have written as ComfyUI and its nodes for videos do, and the texts that they carry. The
 * sounds and pictures are nearly empty.
 */
const FIXTURES = JSON.parse(readFileSync('editor/files.fixtures.json', 'utf8'))
const bytesOf = (name) => Uint8Array.from(atob(FIXTURES.files[name].bytes), (letter) => letter.charCodeAt(0))
const fixture = (name, bytes = bytesOf(name)) => new File([bytes], name)
const json = (text, name = 'graph.json') => new File([text], name, { type: 'application/json' })

/** The graph of a file as it was written, with escaped letters as letters. */
async function textOf(file) {
  const content = await contentOf(file)
  return content?.graph ? write(content.graph.value, unchanged(content.graph.texts)) : content
}
const unescaped = (text) =>
  text.replace(/\\u([0-9a-f]{4})/g, (_, code) => String.fromCharCode(Number.parseInt(code, 16)))
const [WORKFLOW, PROMPT] = [FIXTURES.workflow, FIXTURES.prompt].map(unescaped)

describe('a file', () => {
  const expected = { workflow: WORKFLOW, prompt: PROMPT, settings: { settings: true }, nothing: null }
  it.each(Object.keys(FIXTURES.files))('%s gives its graph with the texts of its numbers', async (name) => {
    expect(await textOf(fixture(name))).toEqual(expected[FIXTURES.files[name].carries])
  })

  it('is recognized by its bytes', async () => {
    expect(await textOf(new File([bytesOf('comfy.mp4')], 'picture.png', { type: 'image/png' }))).toBe(WORKFLOW)
  })

  it('that is damaged anywhere gives no error', async () => {
    for (const name of Object.keys(FIXTURES.files)) {
      const whole = bytesOf(name)
      for (let length = 0; length < whole.length; length += 97) {
        await contentOf(fixture(name, whole.slice(0, length)))
        const changed = whole.slice()
        changed[length] ^= 0xff
        await contentOf(fixture(name, changed))
      }
    }
  }, 60_000)
})

describe('a long text in a sound', () => {
  /** Pages of Ogg with these packets. */
  function ogg(packets) {
    const pages = []
    const page = (lengths, content) => {
      const head = new Uint8Array(27 + lengths.length)
      head.set([0x4f, 0x67, 0x67, 0x53])
      head[26] = lengths.length
      head.set(lengths, 27)
      pages.push(head, content)
    }
    for (const packet of packets) {
      let at = 0
      for (let isEnded = false; !isEnded; ) {
        const part = packet.subarray(at, at + 255 * 255)
        isEnded = part.length < 255 * 255
        const lengths = new Array(Math.floor(part.length / 255)).fill(255)
        if (isEnded) lengths.push(part.length % 255)
        page(lengths, part)
        at += part.length
      }
    }
    return new File(pages, 'long.opus')
  }
  const utf8 = (text) => new TextEncoder().encode(text)
  const number = (value) => [value & 255, (value >> 8) & 255, (value >> 16) & 255, value >>> 24]

  it('is read over the pages that it is spread over', async () => {
    const long = WORKFLOW.replace('"extra":{}', `"extra":{"note":"${'word '.repeat(60_000)}"}`)
    const comment = utf8(`workflow=${long}`)
    const tags = new Uint8Array([
      ...utf8('OpusTags'),
      ...number(0),
      ...number(1),
      ...number(comment.length),
      ...comment,
    ])
    expect(await textOf(ogg([utf8('OpusHead'), tags, utf8('sound')]))).toBe(long)
  })
})

describe('JSON', () => {
  it.each([
    ['a workflow', WORKFLOW, WORKFLOW],
    ['a prompt', PROMPT, PROMPT],
    ['a byte-order mark', `\uFEFF${WORKFLOW}`, WORKFLOW],
    ['both formats', `{"output":${PROMPT},"workflow":${WORKFLOW}}`, WORKFLOW],
    ['a request', `{"client_id":"a","prompt":${PROMPT},"extra_data":{}}`, PROMPT],
    ['a prompt as text', `{"prompt":${JSON.stringify(PROMPT)}}`, PROMPT],
    ['what is not a node', PROMPT.replace('{', '{"version":1.0,'), PROMPT],
    ['a drawing', `<svg><metadata><![CDATA[{"workflow":${WORKFLOW}}]]></metadata></svg>`, WORKFLOW],
  ])('with %s gives the graph', async (_what, text, expected) => {
    expect(await textOf(json(text))).toBe(expected)
  })

  it('without inputs of a node gives none', async () => {
    expect(await textOf(json('{"1":{"class_type":"A"}}'))).toBe('{"1":{"class_type":"A","inputs":{}}}')
  })

  it.each(['', '[]', '{}', 'null', '{"a":1}', 'some text', '{"nodes":{}}', '{"prompt":"{"}'])(
    '%j carries no graph',
    async (text) => {
      expect(await contentOf(json(text))).toBeNull()
    },
  )
})
