import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CODES } from '../../controller/rendering/diagnostics/codes.ts'
import { conflict, Problem, refuseFaults } from '../../platform/core/problem.ts'
import { PROBLEM_CODES, STATUS_CODES, TITLES } from '../../schemas/problem.ts'

const top = join(dirname(fileURLToPath(import.meta.url)), '..', '..')

test('lists each problem code with its meaning on the page', () => {
  const page = readFileSync(join(top, 'docs', 'errors.md'), 'utf8').split('## Problems of requests')[1]!
  const rows = [...page.matchAll(/^\| `([a-z-]+)` \| (.+?) \|$/gm)].map((match) => [match[1]!, match[2]!])
  expect(rows).toEqual(Object.entries(PROBLEM_CODES).sort(([a], [b]) => (a < b ? -1 : 1)))
})

const texts = ['platform', 'services', 'controller', 'api', 'daemon'].flatMap((folder) =>
  readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('codes.ts'))
    .map((file) => readFileSync(join(top, folder, file), 'utf8')),
)

test('gives a field error the code of its fault', () => {
  const said = texts.flatMap((text) =>
    [...text.matchAll(/message: [^\n]+,\s*code: '([a-z-]+)'/g)].map((match) => match[1]!),
  )
  expect(said).toContain('conflicting-members')
  expect(said.filter((code) => !Object.hasOwn(CODES, code))).toEqual([])
})

test('uses every problem code', () => {
  const ofStatus: string[] = Object.values(STATUS_CODES)
  const unused = Object.keys(PROBLEM_CODES).filter(
    (code) => !ofStatus.includes(code) && !texts.some((text) => text.includes(`'${code}'`)),
  )
  expect(unused).toEqual([])
})

test('gives a problem the code of its status by default', () => {
  for (const status of Object.keys(TITLES).map(Number) as (keyof typeof TITLES)[])
    expect(new Problem(status, 'x').code).toBe(STATUS_CODES[status])
  expect(conflict('x', 'agent-busy').code).toBe('agent-busy')
})

test('refuses all faults at once, each at its path with its code', () => {
  expect(() => refuseFaults([])).not.toThrow()
  const faults = [
    { path: ['tools', 1], code: 'invalid-value', message: 'should be a tool', hint: 'write Read' },
    { path: ['name'], code: 'missing-member', message: 'is missing', hint: 'add it' },
  ]
  const refused = {
    status: 400,
    code: 'invalid-input',
    message: expect.stringMatching(/^tools\.1 .+; name is missing/),
  }
  expect(() => refuseFaults(faults)).toThrow(
    expect.objectContaining({
      ...refused,
      errors: [
        { path: 'tools.1', message: 'should be a tool: write Read', code: 'invalid-value' },
        { path: 'name', message: 'is missing: add it', code: 'missing-member' },
      ],
    }),
  )
})
