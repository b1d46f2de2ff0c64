import { describe, expect, test } from 'vitest'
import { read } from './reading.ts'

const said = (lines: string) =>
  read({ 'agents/a.yml': `name: a\nworking_dir: /\n${lines}\n` }).diagnostics.map(
    ({ message, hint }) => `${message} | ${hint}`,
  )

describe('a diagnostic', () => {
  const written = ['4.10', '0755', '1e10', '0x1F', '0o17', '12345678901234567890', '-0.0', '.nan', '+.inf', 'True']
  for (const text of written)
    test(`quotes ${text} as the file has it`, () => {
      const type = text === 'True' ? 'boolean' : 'number'
      expect(said(`model: ${text}`)).toEqual([
        `model should be a string, instead got the ${type} ${text}; put it in quotes | write "${text}"`,
      ])
      expect(said(`command: ${text}`)).toEqual([
        `command should be a list, instead got the ${type} ${text} | write a list: [${text}]`,
      ])
      expect(said(`shell: ${text}`)).toEqual([
        `shell should be one of zsh, bash, instead got the ${type} ${text} | write one of zsh, bash`,
      ])
    })

  test('quotes the text of a list element, a label and an aliased value', () => {
    expect(said('additional_dirs: [/, 1.0]')).toEqual([expect.stringContaining('| write "1.0"')])
    expect(said('labels: { build: &b 0755 }\nannotations: { b: *b }')).toEqual([
      expect.stringContaining('labels.build should be a string, instead got the number 0755'),
      expect.stringContaining('annotations.b should be a string, instead got the number 0755'),
    ])
  })

  test('quotes the text of a value out of bounds and of svc.yaml', () => {
    expect(said('auto_clear_threshold: 1.50')).toEqual([expect.stringContaining('instead got the number 1.50')])
    expect(said('max_cost_usd: -1e2')).toEqual([expect.stringContaining('instead got the number -1e2')])
    const { diagnostics } = read({
      'svc.yaml': 'sync: { windows: [{ effect: deny, schedule: 1.10, duration: 1h }] }\n',
    })
    expect(diagnostics.map(({ hint }) => hint)).toEqual(['write "1.10"'])
  })
})

test('shortens a number of thousands of digits', () => {
  const [line] = said(`model: ${'1'.repeat(5000)}`)
  expect(line!.length).toBeLessThan(200)
  expect(line).toContain('| put the value in quotes')
})

test('masks a secret number that an alias brings to a place where values are quoted', () => {
  for (const lines of ['env: { T: &t 0x1F2E3D }\nmodel: *t', 'model: &t 0x1F2E3D\nenv: { T: *t }']) {
    const all = said(lines).join('\n')
    expect(all).toContain('model should be a string')
    expect(all).not.toMatch(/1F2E3D|2043453/)
  }
})
