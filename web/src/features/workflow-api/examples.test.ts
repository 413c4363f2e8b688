import { execFileSync } from 'node:child_process'
import { describe, expect, it } from 'vitest'
import { readForm } from '@/shared/ui/schema-form/read-form'
import { bodyOf, documentPath, exampleOf, LANGUAGES } from './examples'

const form = readForm(
  {
    type: 'object',
    properties: {
      prompt: { type: 'string', default: `it's "quoted" \\ and\n한국어 $HOME` },
      flip: { type: 'boolean' },
      picture: { type: 'string', format: 'uuid' },
      notes: { type: 'string', format: 'uuid' },
      seed: { type: 'integer', minimum: -1, default: -1 },
      mode: { type: 'string', enum: ['soft', 'hard'] },
      width: { type: 'integer', minimum: 16 },
    },
  },
  { picture: { 'ui:widget': 'image' }, notes: { 'ui:widget': 'textfile' }, seed: { 'ui:widget': 'seed' } },
)
if (!form) throw new Error('not a form')
const body = bodyOf(form)
const call = { origin: 'https://verdigraph.example', api: 'api-1', version: null, body }

describe('the code examples', () => {
  it('send every field: its default, else the smallest valid value', () => {
    expect(Object.keys(body)).toEqual(['prompt', 'flip', 'picture', 'notes', 'seed', 'mode', 'width'])
    expect(body).toMatchObject({ flip: false, seed: -1, mode: 'soft', width: 16 })
    for (const file of [body.picture, body.notes]) expect(file).toMatch(/^[0-9a-f-]{36}$/)
  })

  it('name the version in every language, and only where it is pinned', () => {
    for (const language of LANGUAGES) {
      expect(exampleOf(language, { ...call, version: 'v-2' })).toContain('workflow-api/api-1/version/v-2')
      expect(exampleOf(language, call)).not.toContain('/version/')
    }
    expect(documentPath('api-1', 'v-2')).toBe('/api/general/workflow-api/api-1/version/v-2/openapi')
    expect(documentPath('api-1', null)).toBe('/api/general/workflow-api/api-1/openapi')
  })

  it('of curl pass the exact body through the shell', () => {
    // Captures the arguments of curl.
    const script = `curl() { printf '%s\\0' "$@"; }\n${exampleOf('curl', call)}`
    const said = execFileSync('bash', ['-c', script], { encoding: 'utf8' }).split('\0')
    expect(JSON.parse(said[said.indexOf('-d') + 1] ?? '')).toEqual(body)
    expect(said).toContain('https://verdigraph.example/api/general/job/workflow-api/api-1')
  })

  it('of Python use Python literals outside of strings', () => {
    const text = exampleOf('python', { ...call, body: { ...body, word: 'true' } })
    expect(text).toContain('"flip": False')
    expect(text).toContain('"word": "true"')
    expect(text).toContain('/api/general/job/workflow-api/api-1')
  })

  it('of TypeScript contain the exact body', async () => {
    const values = /const values = (\{[\s\S]*?\n\})\n/.exec(exampleOf('typescript', call))?.[1] ?? ''
    expect(JSON.parse(values)).toEqual(body)
  })
})
