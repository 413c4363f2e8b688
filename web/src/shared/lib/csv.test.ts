import { expect, it } from 'vitest'
import { csvOf } from './csv'

const one = (value: string) => csvOf([[value]]).slice(1, -2)

it.each([
  ['=HYPERLINK("https://evil.example","x")', `"'=HYPERLINK(""https://evil.example"",""x"")"`],
  ['+1+cmd', "'+1+cmd"],
  ['-2+3', "'-2+3"],
  ['@SUM(A1)', "'@SUM(A1)"],
  ['|calc', "'|calc"],
  ['  =1', "'  =1"],
  ['\t=1', "'\t=1"],
  ['＝1+1', "'＝1+1"],
])('%j is not a formula', (value, written) => {
  expect(one(value)).toBe(written)
})

it.each(['-12', '-0.5', '12', 'Mira', 'a-b', '미라'])('%s is unchanged', (value) => expect(one(value)).toBe(value))

it('quotes separators and starts with a byte-order mark', () => {
  expect(
    csvOf([
      ['a', 'b'],
      ['x,y', 'say "hi"\nthere'],
    ]),
  ).toBe('\ufeffa,b\r\n"x,y","say ""hi""\nthere"\r\n')
})
