import { describe, expect, it } from 'vitest'
import { ApiError } from '@/shared/api/errors'
import {
  addInput,
  addOutput,
  changeAdapter,
  changeOutput,
  choicesOf,
  defaultFieldName,
  duplicateNames,
  EMPTY,
  entryOf,
  freshProblems,
  isEmail,
  isFieldName,
  keysInOrder,
  nodeLimits,
  offersOf,
  optionsOf,
  orderInputs,
  orderOutputs,
  problemsOf,
  refusedOf,
  removeInput,
  removeOutput,
  sameSetup,
  saveBlock,
  seedOf,
  shareRefusalOf,
  testBlock,
  typeWord,
  widgetsOf,
  withWidget,
  withWords,
} from './model'
import { input as anyInput } from './testing'
import type { Adapter, HealthProblem, OutputEntry, Setup } from './types'

const input = (id: string, name: string, adapter: Adapter = {}, raw: unknown = ['STRING', {}]) =>
  anyInput(id, name, { adapter, raw })
const output = (id: string, order = 0): OutputEntry => ({ id, order, name: 'Save', apiFieldName: `${id}.Save` })
const problem = (place: string, code = 'NODE_GONE'): HealthProblem => ({ place, code, message: code })

const three: Setup = ['a', 'b', 'c'].reduce(
  (setup, name) => addOutput(addInput(setup, input('1', name)), output(name)),
  EMPTY,
)
const places = (entries: Record<string, { order: number }>) => keysInOrder(entries).map((key) => entries[key]?.order)

describe('positions', () => {
  it('a new input gets the count plus one, and an existing one is unchanged', () => {
    expect(keysInOrder(three.inputs)).toEqual(['1.a', '1.b', '1.c'])
    expect(places(three.inputs)).toEqual([1, 2, 3])
    expect(addInput(three, input('1', 'a', { name: 'other' }))).toBe(three)
  })

  it('a new output gets the highest position plus one', () => {
    const gap: Setup = { inputs: {}, outputs: { x: output('x', 1), y: output('y', 7) } }
    expect(addOutput(gap, output('z')).outputs.z?.order).toBe(8)
    expect(addOutput(EMPTY, output('z')).outputs.z?.order).toBe(1)
    expect(addOutput(gap, output('x'))).toBe(gap)
  })

  it('removing an input or an output renumbers the others from 1', () => {
    const less = removeOutput(removeInput(three, '1.b'), 'a')
    expect(keysInOrder(less.inputs)).toEqual(['1.a', '1.c'])
    expect(places(less.inputs)).toEqual([1, 2])
    expect(keysInOrder(less.outputs)).toEqual(['b', 'c'])
    expect(places(less.outputs)).toEqual([1, 2])
  })

  it('reordering renumbers without losing or adding entries', () => {
    const moved = orderInputs(three, ['1.c', '1.gone', '1.a', '1.c'])
    expect(keysInOrder(moved.inputs)).toEqual(['1.c', '1.a', '1.b'])
    expect(places(moved.inputs)).toEqual([1, 2, 3])
    expect(keysInOrder(orderOutputs(three, ['c', 'b', 'a']).outputs)).toEqual(['c', 'b', 'a'])
  })

  it('positions stay 1 to n after any edits', () => {
    let setup = EMPTY
    let seed = 7
    const draw = (most: number) => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % most
    }
    for (let step = 0; step < 300; step += 1) {
      const keys = keysInOrder(setup.inputs)
      const one = keys[draw(Math.max(keys.length, 1))] ?? ''
      const act = draw(3)
      if (act === 0) setup = addInput(setup, input('1', String(draw(12))))
      else setup = act === 1 ? removeInput(setup, one) : orderInputs(setup, [one])
      expect(places(setup.inputs)).toEqual(Object.keys(setup.inputs).map((_, index) => index + 1))
    }
  })
})

describe('the unsaved flag', () => {
  it('ignores key order, and sees positions and adapters', () => {
    const turned: Setup = { outputs: three.outputs, inputs: Object.fromEntries(Object.entries(three.inputs).reverse()) }
    expect(sameSetup(three, turned)).toBe(true)
    expect(sameSetup(three, orderInputs(three, ['1.b']))).toBe(false)
    expect(sameSetup(three, changeAdapter(three, '1.a', { tooltip: 'hint' }))).toBe(false)
  })

  it('is cleared when a change is reverted', () => {
    const there = changeAdapter(three, '1.a', { tooltip: 'hint' })
    expect(sameSetup(three, changeAdapter(there, '1.a', { tooltip: undefined }))).toBe(true)
    expect(changeAdapter(three, 'gone', { tooltip: 'hint' })).toBe(three)
  })
})

describe('saving', () => {
  it('is blocked by problems first, then by missing inputs, then by missing outputs', () => {
    const bare: Setup = { inputs: { '1.a': input('1', 'a', { apiFieldName: '  ' }) }, outputs: {} }
    expect(saveBlock(bare, [problem('inputs.1.a')])).toBe('unhealthy')
    expect(saveBlock(bare, [])).toBe('noInput')
    expect(saveBlock(EMPTY, [])).toBe('noInput')
    expect(saveBlock({ ...three, outputs: {} }, [])).toBe('noOutput')
    expect(saveBlock(three, [])).toBeNull()
  })

  it('a test needs the saved setup without changes', () => {
    expect(testBlock(false, true)).toBe('notSaved')
    expect(testBlock(true, true)).toBe('unsaved')
    expect(testBlock(true, false)).toBeNull()
  })

  it('finds names that two fields share', () => {
    const setup: Setup = {
      inputs: { a: input('1', 'a', { apiFieldName: 'x' }), b: input('1', 'b', { apiFieldName: ' x ' }) },
      outputs: three.outputs,
    }
    expect(duplicateNames(setup)).toEqual({ inputs: ['x'], outputs: [] })
    expect(duplicateNames(three)).toEqual({ inputs: [], outputs: [] })
  })
})

describe('problems', () => {
  it('are new if their entry or code was unknown', () => {
    const known = [problem('inputs.1.a')]
    expect(freshProblems(known, known)).toEqual([])
    expect(freshProblems(known, [])).toEqual([])
    const other = problem('inputs.1.a', 'INPUT_GONE')
    expect(freshProblems(known, [...known, other, problem('outputs.9')])).toEqual([other, problem('outputs.9')])
  })

  it('resolve an input with dots in its name, and ignore unknown places', () => {
    expect(entryOf(problem('inputs.4.mode.width'))).toEqual({ part: 'inputs', key: '4.mode.width' })
    expect(entryOf(problem('outputs.9'))).toEqual({ part: 'outputs', key: '9' })
    expect(entryOf(problem('elsewhere'))).toBeNull()
  })
})

describe('widgets', () => {
  it.each([
    [['BOOLEAN', {}], 'toggle', ['toggle']],
    [['INT', {}], 'seed', ['range', 'seed']],
    [['FLOAT', {}], 'range', ['range']],
    [[['euler', 'ddim']], 'select', ['select']],
    [['COMBO', { options: ['a'] }], 'model', ['model', 'select']],
    [['STRING', {}], 'textarea', ['text', 'textarea']],
    [[['a.png']], 'image', ['image']],
    [[[]], 'textfile', ['textfile']],
  ] as const)('of %j, shown as %s, are %j', (raw, uiType, widgets) => {
    expect(widgetsOf({ raw, adapter: { uiType } })).toEqual(widgets)
  })

  it('an unreadable definition has no type, limits or widgets', () => {
    for (const raw of [null, {}, [], [5, 6]]) {
      expect(typeWord({ raw })).toBe('')
      expect(nodeLimits({ raw })).toEqual({})
      expect(widgetsOf({ raw, adapter: {} })).toEqual([])
    }
    expect(nodeLimits({ raw: ['INT', { min: 1, max: 64, step: 8 }] })).toEqual({ min: 1, max: 64 })
  })

  it('a random seed is -1, and a fixed one is an integer within the limits', () => {
    expect(seedOf(true, 100, () => 0.5)).toEqual({ isRandom: true, default: -1 })
    expect(seedOf(false, 100, () => 0.999)).toEqual({ isRandom: false, default: 99 })
    const widest = seedOf(false, 2 ** 64, () => 1 - Number.EPSILON)
    expect(Number.isSafeInteger(widest.default)).toBe(true)
    expect(Number.isSafeInteger(seedOf(false, undefined, () => 0.3).default)).toBe(true)
  })
})

describe('the choices of a list', () => {
  const raw = [['euler', 'ddim', 'heun'], {}]

  it('are read from either form of a definition', () => {
    expect(choicesOf({ raw })).toEqual(['euler', 'ddim', 'heun'])
    expect(choicesOf({ raw: ['COMBO', { options: ['a', 2, true, null] }] })).toEqual(['a', 2, true])
    expect(choicesOf({ raw: ['INT', { min: 1 }] })).toEqual([])
  })

  it('are all offered by default, and keep their labels', () => {
    expect(offersOf({ raw, adapter: {} }).every(({ offered }) => offered)).toBe(true)
    const options = ['ddim', { value: 'euler', label: 'Fast' }]
    const offers = offersOf({ raw, adapter: { options } })
    expect(offers.map(({ offered, label }) => [offered, label])).toEqual([
      [true, 'Fast'],
      [true, ''],
      [false, ''],
    ])
    expect(optionsOf(offers)).toEqual({ options: [{ value: 'euler', label: 'Fast' }, 'ddim'] })
    expect(optionsOf(offersOf({ raw, adapter: {} }))).toEqual({ options: undefined })
  })
})

describe('translations', () => {
  it('are added, changed, and removed when emptied', () => {
    const named = { translations: withWords({}, 'ko', { name: '길이' }) ?? {} }
    expect(named).toEqual({ translations: { ko: { name: '길이' } } })
    expect(withWords({ translations: { ko: { name: '길이' }, en: { name: 'x' } } }, 'ko', { name: '' })).toEqual({
      en: { name: 'x' },
    })
    expect(withWords<{ name?: string }>(named, 'ko', { name: '' })).toBeUndefined()
    expect(withWords<{ options?: object }>({}, 'ko', { options: {} })).toBeUndefined()
  })
})

describe('changing the widget', () => {
  it('drops settings of seeds', () => {
    expect(withWidget({ uiType: 'seed', isRandom: true, default: -1 }, 'range')).toEqual({
      uiType: 'range',
      isRandom: undefined,
      default: undefined,
    })
    expect(withWidget({ uiType: 'seed', isRandom: false, default: 7 }, 'range').default).toBe(7)
    expect(withWidget({ uiType: 'range', default: 7 }, 'seed')).toEqual({ uiType: 'seed', isRandom: true })
    expect(withWidget({ uiType: 'text' }, 'textarea')).toEqual({ uiType: 'textarea' })
  })
})

describe('a refusal', () => {
  it('is mapped to its entry, even with dots in the name', () => {
    const setup: Setup = {
      inputs: { '4.mode': input('4', 'mode'), '4.mode.width': input('4', 'mode.width') },
      outputs: { '9': output('9') },
    }
    const fields = [
      { field: 'inputs.4.mode.width.adapter.min', message: 'too low' },
      { field: 'inputs.4.mode.adapter.apiFieldName', message: 'taken' },
      { field: 'outputs.9.translations.ko.name', message: 'too long' },
      { field: 'workflow', message: 'no' },
    ]
    const error = new ApiError(400, { code: 'VALIDATION_FAILED', message: 'no', details: fields })
    expect(refusedOf(error, setup)).toEqual({
      'inputs.4.mode.width': { min: 'too low' },
      'inputs.4.mode': { apiFieldName: 'taken' },
      'outputs.9': { 'translations.ko.name': 'too long' },
    })
    expect(refusedOf(new Error('no'), setup)).toEqual({})
  })

  it('of sharing has a text if its code is known', () => {
    const refused = (code: string, details?: unknown) => new ApiError(409, { code: code as 'FORBIDDEN', details })
    expect(shareRefusalOf(refused('SHARED_ALREADY'))).toBe('SHARED_ALREADY')
    expect(shareRefusalOf(refused('INVALID_FIELDS', [{ field: 'userEmail', message: 'no' }]))).toBe('INVALID_EMAIL')
    expect(shareRefusalOf(refused('FORBIDDEN'))).toBeNull()
    expect(shareRefusalOf(new Error('no'))).toBeNull()
  })

  it('is dropped when its entry is removed', () => {
    const setup: Setup = { inputs: { '1.a': input('1', 'a') }, outputs: {} }
    const found = [problem('inputs.1.a'), problem('inputs.2.b'), problem('outputs.9'), problem('elsewhere')]
    expect(problemsOf(setup, found)).toEqual([problem('inputs.1.a')])
  })
})

describe('names', () => {
  it('of a field default to node, class and input, in valid characters', () => {
    expect(defaultFieldName({ ...input('4', 'my input'), nodeName: 'K Sampler' })).toBe('4.K_Sampler.my_input')
    expect(defaultFieldName({ ...input('1', 'x'.repeat(200)) })).toHaveLength(100)
  })

  it.each(['prompt', '프롬프트', 'a.b-c_1', ''])('%j is valid', (name) => {
    expect(isFieldName(name)).toBe(true)
  })
  it.each(['two words', '__proto__', 'a/b', 'a!'])('%j is invalid', (name) => {
    expect(isFieldName(name)).toBe(false)
  })

  it('of an output are changed only if it exists', () => {
    const setup: Setup = { inputs: {}, outputs: { '9': output('9') } }
    expect(changeOutput(setup, '9', { name: 'Picture' }).outputs['9']?.name).toBe('Picture')
    expect(changeOutput(setup, '8', { name: 'Picture' })).toBe(setup)
  })

  it.each(['a@b.co', 'first.last+tag@mail.example.org'])('%s is an e-mail address', (text) => {
    expect(isEmail(text)).toBe(true)
  })
  it.each(['', 'a', 'a@b', '@b.co', 'a b@c.de', 'a@b..co', 'a@b.', 'a@@b.co'])('%j is no e-mail address', (text) => {
    expect(isEmail(text)).toBe(false)
  })
})
