import { render, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { createPortal } from 'react-dom'
import { describe, expect, it, vi } from 'vitest'
import type { FieldProblem } from '@/shared/api/errors'
import { defaultsOf, type FormValues, readForm, type WidgetName } from './read-form'
import { SchemaForm } from './schema-form'
import { RANDOM_SEED, rollSeed } from './seed-widget'
import type { Widget, WidgetProps } from './widget'

type Setup = {
  properties: object
  ui?: object
  required?: string[]
  values?: FormValues
  problems?: FieldProblem[]
  disabled?: boolean
  widgets?: Partial<Record<WidgetName, Widget>>
}

function setup({ properties, ui = {}, required = [], values, problems = [], disabled = false, widgets = {} }: Setup) {
  const form = readForm({ type: 'object', properties, required }, ui)
  if (!form) throw new Error('not a form')
  const onSubmit = vi.fn()
  const onInvalid = vi.fn()
  const seen: { values: FormValues } = { values: {} }
  function Host() {
    const [current, setCurrent] = useState<FormValues>(values ?? defaultsOf(form as NonNullable<typeof form>))
    seen.values = current
    return (
      <>
        <SchemaForm
          id="form"
          form={form as NonNullable<typeof form>}
          values={current}
          disabled={disabled}
          widgets={widgets}
          context={{}}
          problems={problems}
          onChange={setCurrent}
          onSubmit={onSubmit}
          onInvalid={onInvalid}
        />
        <button type="submit" form="form">
          {'Run'}
        </button>
      </>
    )
  }
  render(<Host />)
  const run = () => userEvent.click(screen.getByRole('button', { name: 'Run' }))
  return { onSubmit, onInvalid, seen, run }
}

describe('the schema form', () => {
  it('marks a required field and reports it when empty', async () => {
    const { run, onSubmit, onInvalid } = setup({
      properties: { '6.Text.text': { type: 'string', title: 'Caption' } },
      required: ['6.Text.text'],
    })
    expect(screen.getByText('Caption').textContent).toContain('*')
    await run()
    expect((await screen.findByRole('alert')).textContent).toBe('This field is required')
    expect(screen.getByLabelText(/Caption/).getAttribute('aria-invalid')).toBe('true')
    expect(onInvalid).toHaveBeenCalledOnce()
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('submits the values by full field name', async () => {
    const { run, onSubmit } = setup({ properties: { '6.Text.text': { type: 'string', title: 'Caption' } } })
    await userEvent.type(screen.getByLabelText('Caption'), 'Night')
    await run()
    expect(onSubmit).toHaveBeenCalledWith({ '6.Text.text': 'Night' })
  })

  it('sends an emptied text as an empty string', async () => {
    const { run, onSubmit } = setup({ properties: { a: { type: 'string', title: 'Caption', default: 'x' } } })
    await userEvent.clear(screen.getByLabelText('Caption'))
    await run()
    expect(onSubmit).toHaveBeenCalledWith({ a: '' })
  })

  it('reports an emptied required number and sends nothing', async () => {
    const { run, onSubmit } = setup({ properties: { size: { type: 'integer', title: 'Size', default: 24 } } })
    await userEvent.clear(screen.getByLabelText('Value of Size'))
    expect(screen.getByRole('slider').getAttribute('aria-valuetext')).toBe('No value')
    await run()
    expect((await screen.findByRole('alert')).textContent).toBe('Enter a whole number')
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('shows the default of an emptied optional number and sends null', async () => {
    const { run, onSubmit } = setup({
      properties: { gain: { type: 'number', title: 'Gain', default: 2 } },
      ui: { gain: { 'ui:widget': 'range', 'ui:options': { optional: true } } },
    })
    await userEvent.clear(screen.getByLabelText('Value of Gain'))
    expect(screen.getByText('Left empty: the node uses its own value.')).toBeTruthy()
    await run()
    expect(onSubmit).toHaveBeenCalledWith({ gain: null })
  })

  it('shows the parsed number and rejects an ambiguous one', async () => {
    const { run, onSubmit } = setup({ properties: { mix: { type: 'number', title: 'Mix', default: 1 } } })
    const number = screen.getByLabelText('Value of Mix') as HTMLInputElement
    const paste = async (text: string) => {
      await userEvent.clear(number)
      await userEvent.click(number)
      await userEvent.paste(text)
      await userEvent.tab()
    }
    await paste('0,5')
    expect(number.value).toBe('0.5')
    await paste('5%')
    expect(number.value).toBe('5%')
    await run()
    expect((await screen.findByRole('alert')).textContent).toBe('Enter the number without %')
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('offers options of several types and keeps their type', async () => {
    const { run, onSubmit } = setup({
      properties: { mode: { title: 'Mode', enum: [1, '1', true, 0.5], default: 1 } },
      ui: { mode: { 'ui:widget': 'select' } },
    })
    const options = within(screen.getByLabelText('Mode')).getAllByRole('option') as HTMLOptionElement[]
    expect(options.map((option) => option.textContent)).toEqual(['1', '1', 'true', '0.5'])
    for (const [at, value] of [
      [1, '1'],
      [2, true],
      [3, 0.5],
    ] as const) {
      await userEvent.selectOptions(screen.getByLabelText('Mode'), options[at] as HTMLOptionElement)
      await run()
      expect(onSubmit).toHaveBeenLastCalledWith({ mode: value })
    }
  })

  it('chooses the empty text of a list', async () => {
    const { run, onSubmit } = setup({
      properties: { style: { type: 'string', title: 'Style', enum: ['', 'ink'], default: 'ink' } },
      required: ['style'],
    })
    await userEvent.selectOptions(screen.getByLabelText(/Style/), 'No value')
    await run()
    expect(onSubmit).toHaveBeenCalledWith({ style: '' })
  })

  it('shows the lines of a text that runs with them', async () => {
    const { run, onSubmit } = setup({ properties: { a: { type: 'string', title: 'Caption', default: 'one\ntwo' } } })
    const shown = screen.getByLabelText('Caption') as HTMLTextAreaElement
    expect(shown.value).toBe('one\ntwo')
    await userEvent.type(shown, '!')
    await run()
    expect(onSubmit).toHaveBeenCalledWith({ a: 'one\ntwo!' })
  })

  it('late uploads change current values, and nested forms do not submit it', async () => {
    const Late = ({ onChange }: WidgetProps) => {
      const [first] = useState(() => onChange)
      return (
        <>
          <button type="button" onClick={() => first('asset-1')}>
            {'Upload'}
          </button>
          {createPortal(
            <form aria-label="inner">
              <button type="submit">{'Rename'}</button>
            </form>,
            document.body,
          )}
        </>
      )
    }
    const { seen, onSubmit, onInvalid } = setup({
      properties: { a: { type: 'string', title: 'A' }, 'my file': { type: 'string', title: 'File' } },
      ui: { 'my file': { 'ui:widget': 'image' } },
      widgets: { image: Late },
    })
    await userEvent.type(screen.getByLabelText('A'), 'Night')
    await userEvent.click(screen.getByRole('button', { name: 'Upload' }))
    expect(seen.values).toEqual({ a: 'Night', 'my file': 'asset-1' })
    screen.getByRole('form', { name: 'inner' }).addEventListener('submit', (event) => event.preventDefault())
    await userEvent.click(screen.getByRole('button', { name: 'Rename' }))
    expect(onSubmit).not.toHaveBeenCalled()
    expect(onInvalid).not.toHaveBeenCalled()
  })

  it('shows descriptions as plain words', () => {
    setup({ properties: { a: { type: 'string', title: 'A', description: 'Look <b>here</b>' } } })
    expect(screen.getByText('Look <b>here</b>')).toBeTruthy()
  })

  it('shows a number beside a slider and reports the violated limit', async () => {
    const { seen, run } = setup({
      properties: { size: { type: 'integer', title: 'Size', minimum: 1, maximum: 60, default: 24 } },
      ui: { size: { 'ui:widget': 'range' } },
    })
    const number = screen.getByLabelText('Value of Size')
    await userEvent.clear(number)
    await userEvent.type(number, '90')
    expect(seen.values.size).toBe(90)
    await run()
    expect((await screen.findByRole('alert')).textContent).toBe('At most 60')
  })

  it('lets a range without limits run from 0 to 100', () => {
    setup({ properties: { size: { type: 'integer', title: 'Size' } }, ui: { size: { 'ui:widget': 'range' } } })
    const slider = screen.getByRole('slider') as HTMLInputElement
    expect([slider.min, slider.max, slider.step]).toEqual(['0', '100', '1'])
  })

  it('keeps options of a select in their type', async () => {
    const { seen } = setup({
      properties: { n: { type: 'integer', title: 'N', enum: [4, 8] } },
      ui: { n: { 'ui:widget': 'select' } },
    })
    await userEvent.selectOptions(screen.getByLabelText('N'), '8')
    expect(seen.values.n).toBe(8)
  })

  it('switches a toggle by keyboard', async () => {
    const { seen } = setup({ properties: { g: { type: 'boolean', title: 'Grain', default: true } } })
    const toggle = screen.getByRole('switch', { name: 'Grain' })
    toggle.focus()
    await userEvent.keyboard(' ')
    expect(seen.values.g).toBe(false)
    expect(toggle.getAttribute('aria-checked')).toBe('false')
  })

  it("shows the server's error at its field", () => {
    setup({ properties: { 'a.b': { type: 'string', title: 'A' } }, problems: [{ field: 'a.b', message: 'too rude' }] })
    expect(screen.getByRole('alert').textContent).toBe('too rude')
  })

  it('takes no input while it is disabled', () => {
    setup({ properties: { a: { type: 'string', title: 'A' } }, disabled: true })
    expect((screen.getByLabelText('A') as HTMLInputElement).disabled).toBe(true)
  })
})

describe('the seed widget', () => {
  const seed = {
    properties: { seed: { type: 'integer', title: 'Seed', default: -1, minimum: 0 } },
    ui: { seed: { 'ui:widget': 'seed' } },
  }

  it('is random with -1 and submits it', async () => {
    const { run, onSubmit } = setup(seed)
    expect(screen.getByRole('radio', { name: 'Random' }).getAttribute('aria-checked')).toBe('true')
    await run()
    await waitFor(() => expect(onSubmit).toHaveBeenCalledWith({ seed: RANDOM_SEED }))
  })

  it('chooses a safe whole number when it becomes fixed, and another one by the dice', async () => {
    const { seen } = setup(seed)
    await userEvent.click(screen.getByRole('radio', { name: 'Fixed' }))
    const first = seen.values.seed
    expect(Number.isSafeInteger(first)).toBe(true)
    expect(first).toBeGreaterThanOrEqual(0)
    await userEvent.click(screen.getByRole('button', { name: 'Roll a new seed' }))
    expect(seen.values.seed).not.toBe(first)
  })

  it('goes back to -1', async () => {
    const { seen } = setup({ ...seed, values: { seed: 77 } })
    await userEvent.click(within(screen.getByRole('radiogroup')).getByRole('radio', { name: 'Random' }))
    expect(seen.values.seed).toBe(RANDOM_SEED)
  })

  it('does not change a typed number', async () => {
    const { run, onSubmit } = setup({ ...seed, values: { seed: 7 } })
    const input = screen.getByRole('textbox')
    await userEvent.clear(input)
    await userEvent.type(input, '1x2.5')
    await run()
    expect((await screen.findByRole('alert')).textContent).toBe('Enter a number')
    expect(onSubmit).not.toHaveBeenCalled()
  })

  it('keeps every digit of a big seed and rejects a larger one', async () => {
    const maximum = '18446744073709551615'
    const large = { type: 'integer', title: 'Seed', default: maximum, minimum: -1, maximum }
    const { run, onSubmit, onInvalid } = setup({ ...seed, properties: { seed: large } })
    expect(screen.getByRole('radio', { name: 'Fixed' }).getAttribute('aria-checked')).toBe('true')
    await run()
    await waitFor(() => expect(onSubmit).toHaveBeenLastCalledWith({ seed: maximum }))
    const input = screen.getByRole('textbox')
    await userEvent.clear(input)
    await userEvent.type(input, '9007199254740993')
    await run()
    await waitFor(() => expect(onSubmit).toHaveBeenLastCalledWith({ seed: '9007199254740993' }))
    await userEvent.clear(input)
    await userEvent.type(input, '18446744073709551616')
    await run()
    await waitFor(() => expect(onInvalid).toHaveBeenCalled())
    expect(screen.getByRole('alert').textContent).toBe('At most 18446744073709551615')
  })

  it('never rolls above the limit of the node', () => {
    for (let round = 0; round < 200; round += 1) {
      const rolled = rollSeed(9)
      expect(rolled).toBeGreaterThanOrEqual(0)
      expect(rolled).toBeLessThanOrEqual(9)
    }
    expect(Number.isSafeInteger(rollSeed())).toBe(true)
  })
})

describe("the settings of a field's author", () => {
  it('set the step of its slider', () => {
    setup({
      properties: { mix: { type: 'number', title: 'Mix', minimum: 0, maximum: 1 } },
      ui: { mix: { 'ui:widget': 'range', 'ui:options': { step: 0.05 } } },
    })
    expect((screen.getByRole('slider') as HTMLInputElement).step).toBe('0.05')
  })

  it('set the labels of its options', () => {
    setup({
      properties: { mode: { type: 'string', title: 'Mode', enum: ['a', 'b'] } },
      ui: { mode: { 'ui:widget': 'select', 'ui:enumNames': ['Soft light', 'Hard light'] } },
    })
    const options = screen.getAllByRole('option').map((option) => option.textContent)
    expect(options).toEqual(expect.arrayContaining(['Soft light', 'Hard light']))
    expect(options).not.toContain('a')
  })
})
