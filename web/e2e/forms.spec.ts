import { expect, type Page, test } from '@playwright/test'
import { signUp, xsrf } from './people'

/** The fields of the form: node, class and widget. A text output beside each node shows the value that it received. */
const FIELDS = {
  whole: ['1', 'PrimitiveInt', 7, { name: 'Whole' }],
  part: ['2', 'PrimitiveFloat', 1.5, { name: 'Part', min: -1e6, max: 1e6, step: 0.01 }],
  size: ['3', 'PrimitiveInt', 100, { name: 'Size', min: 100, max: 2000, step: 64 }],
  seed: ['4', 'PrimitiveInt', 8, { name: 'Noise', uiType: 'seed', isRandom: false }],
  words: ['5', 'PrimitiveString', 'a cat', { name: 'Words' }],
} as const
type Field = keyof typeof FIELDS
const NAMES = Object.keys(FIELDS) as Field[]

const NUMBER = 'Enter a number'
const WHOLE = 'Enter a whole number'
const PERCENT = 'Enter the number without %'
const COMMA = 'This number can be read in two ways. Write it without commas, with a point for decimals.'

/** The typed or pasted text and the value that the worker received. The fields of one row run together. */
type Round = Partial<Record<Field, [typed: string, got: string]>>
const TAKEN: Round[] = [
  { whole: ['12', '12'], part: ['0.5', '0.5'], size: ['164', '164'], seed: ['0', '0'], words: ['', ''] },
  {
    whole: ['-3', '-3'],
    part: ['0,5', '0.5'],
    size: ['101', '101'],
    seed: ['9007199254740993', '9007199254740993'],
    words: [' ', ' '],
  },
  {
    whole: ['−42', '-42'],
    part: ['-0,25', '-0.25'],
    size: ['2000', '2000'],
    seed: ['9223372036854775807', '9223372036854775807'],
    words: ['０，５', '０，５'],
  },
  {
    whole: ['+5', '5'],
    part: ['1,234.5', '1234.5'],
    size: ['777', '777'],
    seed: ['９００', '900'],
    words: ['5%', '5%'],
  },
  {
    whole: ['５０', '50'],
    part: ['1.234,5', '1234.5'],
    size: ['1,000.0', '1000'],
    seed: ['1 234 567', '1234567'],
    words: ['1,234.5', '1,234.5'],
  },
  {
    whole: ['١٢', '12'],
    part: ['１．２５', '1.25'],
    size: ['۱۶۴', '164'],
    seed: ['1e3', '1000'],
    words: ['null', 'null'],
  },
  {
    whole: ['1 234', '1234'],
    part: ['۱٫۵', '1.5'],
    size: ['1e3', '1000'],
    seed: ['007', '7'],
    words: ['안녕', '안녕'],
  },
  {
    whole: ['1,234,567', '1234567'],
    part: ['2.5e2', '250.0'],
    size: ['228.0', '228'],
    seed: ['\u200f12\u200e', '12'],
    words: ['-1', '-1'],
  },
  {
    whole: ['9223372036854775807', '9223372036854775807'],
    part: ["1'234.5", '1234.5'],
    size: ['  292  ', '292'],
    seed: ['9007199254740991', '9007199254740991'],
    words: ['"{}"', '"{}"'],
  },
  {
    whole: ['-9007199254740993', '-9007199254740993'],
    part: ['.125', '0.125'],
    size: ['165', '165'],
    seed: ['1,000,000', '1000000'],
    words: ['1e5', '1e5'],
  },
]
/** The typed text and the error at the field. None of these runs. */
const REFUSED: Round[] = [
  { whole: ['', WHOLE], part: ['', NUMBER], size: ['', WHOLE], seed: ['', WHOLE] },
  { whole: ['5%', PERCENT], part: ['5%', PERCENT], size: ['99', 'At least 100'], seed: ['-2', 'At least 0'] },
  {
    whole: ['0,5', WHOLE],
    part: ['1,234', COMMA],
    size: ['2001', 'At most 2000'],
    seed: ['9223372036854775808', 'At most 9223372036854775807'],
  },
  { whole: ['1.5', WHOLE], part: ['abc', NUMBER], size: ['100.5', WHOLE], seed: ['1x2.5', NUMBER] },
  {
    whole: ['9223372036854775808', 'At most 9223372036854775807'],
    part: ['1e999', NUMBER],
    size: ['０', 'At least 100'],
    seed: ['0x10', NUMBER],
  },
  { whole: ['10³', NUMBER], part: ['½', NUMBER], size: ['500 px', NUMBER], seed: ['5٪', PERCENT] },
  { whole: ['-', NUMBER], part: ['1.2.3', NUMBER], size: ['1,234', COMMA], seed: ['12 34', NUMBER] },
  { whole: ['NaN', NUMBER], part: ['Infinity', NUMBER], size: ['1e9', 'At most 2000'], seed: ['--5', NUMBER] },
]

/** Creates a mini app with these fields for the signed-in user. */
async function makeForm(page: Page): Promise<string> {
  const headers = await xsrf(page)
  const nodes = NAMES.flatMap((field) => {
    const [id, name, value] = FIELDS[field]
    const shown = { class_type: 'PreviewAny', inputs: { source: [id, 0] } }
    return [
      [id, { class_type: name, inputs: { value } }],
      [`1${id}`, shown],
    ]
  })
  const prompt = { output: Object.fromEntries(nodes) }
  const made = await page.request.post('/api/general/workflow', {
    data: { name: 'Inputs', description: '<p>x</p>', prompt },
    headers,
  })
  expect(made.status(), await made.text()).toBe(201)
  const { _id: workflow } = (await made.json()) as { _id: string }
  const inputs = NAMES.map((apiFieldName, at) => {
    const [id, nodeName, , adapter] = FIELDS[apiFieldName]
    return [`${id}.value`, { order: at + 1, id, name: 'value', nodeName, adapter: { ...adapter, apiFieldName } }]
  })
  const outputs = NAMES.map((field, at) => {
    const id = `1${FIELDS[field][0]}`
    return [id, { id, order: at + 1, name: field, apiFieldName: field }]
  })
  const data = { workflow, inputs: Object.fromEntries(inputs), outputs: Object.fromEntries(outputs) }
  const saved = await page.request.post('/api/general/workflow-api', { data, headers })
  expect(saved.ok(), await saved.text()).toBe(true)
  return ((await saved.json()) as { _id: string })._id
}

const jobOf = (page: Page) => new URL(page.url()).searchParams.get('job')

/** The values that the worker received, by field, from the job's text outputs. */
async function gotBy(page: Page, job: string): Promise<Record<string, string>> {
  const status = async () =>
    ((await (await page.request.get(`/api/general/job/${job}/status`)).json()) as { status: string }).status
  await expect.poll(status, { intervals: [50] }).toBe('Done')
  const answer = await page.request.get(`/api/general/job/${job}/api-outputs`)
  const outputs = (await answer.json()) as { name: string; outputs: { text?: string[] } }[]
  return Object.fromEntries(outputs.map(({ name, outputs: made }) => [name, made.text?.[0] ?? '']))
}

test('the worker receives the values that the form shows, and invalid forms do not run', async ({ page }) => {
  await signUp(page)
  const app = await makeForm(page)
  await page.goto(`/easy-app/${app}`)
  const run = page.getByRole('button', { name: 'Run', exact: true })
  await expect(run).toBeVisible()
  const boxOf = (field: Field) => page.locator(`[data-field="${field}"]`)
  const inputOf = (field: Field) => boxOf(field).locator('input[type=text], textarea').last()
  const fill = async (round: Round) => {
    for (const field of NAMES) if (round[field]) await inputOf(field).fill(round[field][0])
  }
  let before: string | null = null
  for (const round of TAKEN) {
    await fill(round)
    await run.click()
    await expect.poll(() => jobOf(page), { intervals: [30] }).not.toBe(before)
    before = jobOf(page)
    const got = await gotBy(page, before ?? '')
    for (const field of NAMES)
      if (round[field]) expect.soft(got[field], `${field}: ${round[field][0]}`).toBe(round[field][1])
    await expect(run).toBeEnabled()
  }
  // A field that lost the focus shows the parsed number.
  await expect(inputOf('size')).toHaveValue('165')
  await expect(inputOf('part')).toHaveValue('0.125')
  for (const round of REFUSED) {
    await fill(round)
    await run.click()
    for (const field of NAMES) {
      if (round[field])
        await expect.soft(boxOf(field).getByRole('alert'), `${field}: ${round[field][0]}`).toHaveText(round[field][1])
    }
    expect(jobOf(page)).toBe(before)
  }
})

test('a missing field gets its default, and an empty one stays empty', async ({ page }) => {
  await signUp(page)
  const app = await makeForm(page)
  const headers = await xsrf(page)
  const send = async (data: object) => {
    const answer = await page.request.post(`/api/general/job/workflow-api/${app}`, { data, headers })
    return { status: answer.status(), body: (await answer.json()) as { _id: string; fields?: { field: string }[] } }
  }
  const got = async (data: object) => gotBy(page, (await send(data)).body._id)
  expect(await got({})).toEqual({ whole: '7', part: '1.5', size: '100', seed: '8', words: 'a cat' })
  expect(await got({ words: null, size: 777, seed: '9223372036854775807' })).toMatchObject({
    words: '',
    size: '777',
    seed: '9223372036854775807',
  })
  for (const wrong of [
    { whole: null },
    { part: '0,5' },
    { part: null },
    { whole: '5%' },
    { size: '' },
    { size: 99 },
    { seed: -2 },
  ]) {
    const { status, body } = await send(wrong)
    expect(status, JSON.stringify(wrong)).toBe(400)
    expect(JSON.stringify(body)).toContain(Object.keys(wrong)[0])
  }
})

/** A list of several types, and how the page shows its choices. */
const CHOICES = [1, '1', 0.5, true, false, '', 'auto', '0,5'] as const
const SHOWN = ['1', '1', '0.5', 'true', 'false', 'No value', 'auto', '0,5']

test('a list of several types shows every choice and sends it with its type', async ({ page }) => {
  await signUp(page)
  const app = await makeForm(page)
  await page.route(/\/api\/(general|public)\/workflow-api\/[0-9a-f-]+$/, async (route) => {
    if (route.request().method() !== 'GET') return route.fallback()
    const read = (await (await route.fetch()).json()) as { rjsf: Record<'schema' | 'uiSchema', object> }
    const words = { title: 'Words', enum: CHOICES, default: 1 }
    const schema = { type: 'object', properties: { words }, required: ['words'] }
    await route.fulfill({ json: { ...read, rjsf: { schema, uiSchema: { words: { 'ui:widget': 'select' } } } } })
  })
  const sent: unknown[] = []
  await page.route(/\/api\/general\/job\/workflow-api\/[0-9a-f-]+(\?|$)/, async (route) => {
    sent.push(route.request().postDataJSON())
    await route.fulfill({ status: 500, json: { code: 'INTERNAL', message: 'made up', requestId: 'r' } })
  })
  await page.goto(`/easy-app/${app}`)
  const list = page.locator('[data-field="words"] select')
  await expect(list.locator('option')).toHaveText(SHOWN)
  for (const [at, words] of CHOICES.entries()) {
    await list.selectOption({ index: at })
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect.poll(() => sent, { intervals: [30] }).toHaveLength(at + 1)
    expect(sent[at], SHOWN[at]).toEqual({ words })
  }
})

test('an arrow key moves a slider by a visible step', async ({ page }) => {
  await signUp(page)
  const app = await makeForm(page)
  await page.goto(`/easy-app/${app}`)
  const size = page.locator('[data-field="size"]')
  await size.getByRole('slider').press('ArrowRight')
  await expect(size.getByRole('textbox')).toHaveValue('164')
  await size.getByRole('slider').press('PageUp')
  await expect(size.getByRole('textbox')).toHaveValue('804')
  await size.getByRole('slider').press('End')
  await expect(size.getByRole('textbox')).not.toHaveValue('804')
})
