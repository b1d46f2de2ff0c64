import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { CODES } from '../../../controller/rendering/diagnostics/codes.ts'
import { DIAGNOSTIC_FORMATS, renderDiagnostics } from '../../../controller/rendering/diagnostics/index.ts'
import { shownLines } from '../../../controller/rendering/diagnostics/excerpts.ts'
import type { Diagnostic } from '../../../schemas/diagnostic.ts'
import { strictJson } from '../../../schemas/validation/text.ts'
import { strictlyParsed } from '../../platform/http/strict-json.ts'
import { read } from '../reading/reading.ts'

const top = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..')
const fault = (more: Partial<Diagnostic> = {}): Diagnostic => ({
  severity: 'error',
  code: 'invalid-value',
  message: 'shell should be one of zsh, bash',
  hint: 'write one of zsh, bash',
  file: 'agents/a.yml',
  line: 3,
  column: 8,
  kind: 'agents',
  name: 'a',
  ...more,
})
const warning = fault({
  severity: 'warning',
  code: 'template-unknown-variable',
  file: 'rooms/r.yml',
  line: 1,
  column: 1,
  message: 'there is no variable taks',
  hint: 'wait',
})
const nasty = fault({ file: 'a b/100%,x:y.yml', message: '<"&\'> % \u001b[31m\r\n]]> \ud800 \u202e', hint: 'a, b: c' })
const source = 'name: a\nworking_dir: /\nshell:\tfish\n'

test('renders the human format with position, excerpt, hint and counts', () => {
  const text = renderDiagnostics([fault(), warning], 'human', {
    sources: (file) => (file === 'agents/a.yml' ? source : null),
  })
  expect(text).toBe(
    [
      'agents/a.yml:3:8: error: shell should be one of zsh, bash [invalid-value]',
      '    shell:\tfish',
      '          \t^',
      '  hint: write one of zsh, bash',
      '',
      'rooms/r.yml:1:1: warning: there is no variable taks [template-unknown-variable]',
      '  hint: wait',
      '',
      '1 error, 1 warning in 2 files',
      '',
    ].join('\n'),
  )
  expect(renderDiagnostics([], 'human')).toBe('no errors\n')
})

test('uses colours only on request', () => {
  expect(renderDiagnostics([fault()], 'human')).not.toContain('\u001b')
  expect(renderDiagnostics([fault()], 'human', { colour: true })).toContain('\u001b[31merror\u001b[39m')
})

test('masks secrets in excerpts, also of invalid files', () => {
  const secrets = [
    'agents:',
    '  env:',
    '    A: hush1',
    '    "B": \'hush2\' # c',
    '    C: |',
    '      hush3',
    '\tD: hush4',
    '  model: shown',
    '  env: { E: hush5 }',
    'source: { type: webhook, secret: hush6 }',
    '  secret: |',
    '    hush7',
    'shown: too',
    '- env: hush8',
  ].join('\n')
  const diagnostics = secrets.split('\n').map((_, index) => fault({ line: index + 1, column: 1 }))
  const text = renderDiagnostics(diagnostics, 'human', { sources: () => secrets })
  expect(text).not.toContain('hush')
  // If the file cannot be parsed, only known names are shown.
  expect(text).toContain('  model: ***')
  expect(text).toContain('source: ***')
  expect(text).not.toMatch(/shown|A:|"B"/)
})

test('hides secrets, unknown fields and comments in excerpts of valid files', () => {
  const lines = [
    'name: a # hush0',
    'env: # hush1',
    '  A: hush2',
    '  B: !hush3 &hush4 hush5',
    '  ? hush6',
    'model: shown',
    'envv: { A: hush7, name: hush8 }',
    'source: { type: webhook, secret: hush9, x: [hush10] }',
    'tools: [Read, "Bash(ls)"]',
    'shell: &a hush11',
    'runtime: *a',
    'prompt: |',
    '  shown too',
  ]
  const diagnostics = lines.map((_, index) => fault({ line: index + 1, column: 1 }))
  const text = renderDiagnostics(diagnostics, 'human', { sources: () => lines.join('\n') })
  expect(text).not.toContain('hush')
  for (const line of ['name: a', '  A: ***', '  B: ***', 'model: shown', 'envv: ***', 'tools: [Read, "Bash(ls)"]'])
    expect(text).toContain(`    ${line}\n`)
  expect(text).toContain('    source: { type: webhook, secret: ***, x: *** }\n')
  expect(text).toContain('      shown too\n')
})

test('treats excerpts of oversized files like unparsable ones', () => {
  const long = `name: a\nnope: b\ntools: [${'Read, '.repeat(9000)}]\n`
  expect(shownLines(long).slice(0, 2)).toEqual(['name: ***', '***'])
  const deep = `name: a\nnope: b\nlabels: ${'{a: '.repeat(200)}b${'}'.repeat(200)}\n`
  expect(shownLines(deep).slice(0, 2)).toEqual(['name: ***', '***'])
})

test('shows an excerpt of an invalid file without secrets verbatim', () => {
  const text = renderDiagnostics([fault({ line: 2, column: 7 })], 'human', { sources: () => 'name: a\nmodel: "open\n' })
  expect(text).toContain('model: "open')
})

test('hides invalid secret values in every format', () => {
  const manifest = 'name: a\nworking_dir: /\nenv:\n  A: 8888\n  B: [hush]\n  C: hush\n  C: hush\n'
  const files = {
    'agents/a.yml': manifest,
    'agents/b.yml': manifest.replace('  C: hush\n', ''),
    'agents/c.yml': 'name: c\nworking_dir: /\nenv: hush\n',
  }
  const { diagnostics } = read(files)
  expect(diagnostics.length).toBeGreaterThan(3)
  for (const format of DIAGNOSTIC_FORMATS)
    expect(
      renderDiagnostics(diagnostics, format, { sources: (file) => files[file as keyof typeof files] }),
    ).not.toMatch(/hush|8888/)
})

test('shortens a long line around the fault and omits missing lines', () => {
  const long = `name: ${'x'.repeat(500)}!`
  const lines = renderDiagnostics([fault({ line: 1, column: 507 })], 'human', { sources: () => long }).split('\n')
  expect(lines[1]!.length).toBeLessThan(130)
  expect(lines[1]![lines[2]!.indexOf('^')]).toBe('!')
  expect(renderDiagnostics([fault({ line: 9 })], 'human', { sources: () => 'x' })).not.toContain('^')
})

test('escapes control characters in every format', () => {
  for (const format of DIAGNOSTIC_FORMATS) {
    const text = renderDiagnostics([nasty], format, { sources: () => 'a: \u001b]0;x\u0007\n\n\u009b2J' })
    expect(text).not.toMatch(format === 'json' || format === 'sarif' ? /\u001b/ : /[\u001b\u0007\u009b\u202e\r]/)
  }
})

test('prints every diagnostic and counts as JSON', () => {
  expect(JSON.parse(renderDiagnostics([fault(), warning, nasty], 'json'))).toEqual({
    errors: 2,
    warnings: 1,
    diagnostics: [fault(), warning, JSON.parse(strictJson(nasty))],
  })
})

test.each(['json', 'sarif'] as const)('writes %s that strict parsers read, also of a text that was cut', (format) => {
  const text = renderDiagnostics([fault({ message: 'got "\ud83d…"' })], format)
  expect(JSON.stringify(strictlyParsed(text))).toContain('got \\"\uFFFD…\\"')
})

test('renders SARIF 2.1.0 with rules, levels and regions', () => {
  const log = JSON.parse(renderDiagnostics([fault(), warning, nasty], 'sarif'))
  expect(log).toMatchObject({
    $schema: expect.stringContaining('sarif-2.1.0'),
    version: '2.1.0',
    runs: [{ tool: { driver: { name: 'svc' } }, columnKind: 'utf16CodeUnits' }],
  })
  const [run] = log.runs
  expect(run.results[0]).toEqual({
    ruleId: 'invalid-value',
    ruleIndex: 0,
    level: 'error',
    message: { text: 'shell should be one of zsh, bash\nhint: write one of zsh, bash' },
    locations: [
      { physicalLocation: { artifactLocation: { uri: 'agents/a.yml' }, region: { startLine: 3, startColumn: 8 } } },
    ],
  })
  for (const result of run.results) expect(run.tool.driver.rules[result.ruleIndex].id).toBe(result.ruleId)
  expect(run.results[2].locations[0].physicalLocation.artifactLocation.uri).toBe('a%20b/100%25%2Cx%3Ay.yml')
  const absolute = JSON.parse(renderDiagnostics([fault({ file: '/tmp/a b.yml' })], 'sarif'))
  expect(absolute.runs[0].results[0].locations[0].physicalLocation.artifactLocation.uri).toBe('file:///tmp/a%20b.yml')
})

test('renders well-formed JUnit XML with one case per fault', () => {
  const xml = renderDiagnostics([fault(), fault({ line: 4 }), warning, nasty], 'junit')
  const { counts, texts } = parseXml(xml)
  expect(counts).toEqual({ testsuites: 1, testsuite: 3, testcase: 4, failure: 3, 'system-out': 1 })
  expect(xml).toContain('<testsuites name="svc validate" tests="4" failures="3" errors="0">')
  expect(xml).toContain('<testsuite name="agents/a.yml" tests="2" failures="2"')
  expect(texts.join('\n')).toContain('<"&\'> %')
  expect(parseXml(renderDiagnostics([], 'junit')).counts).toEqual({ testsuites: 1, testsuite: 1, testcase: 1 })
})

test('renders one escaped GitHub command per line', () => {
  const lines = renderDiagnostics([fault(), warning, nasty], 'github').split('\n')
  expect(lines).toHaveLength(5)
  expect(lines[0]).toBe(
    '::error file=agents/a.yml,line=3,col=8,title=invalid-value::shell should be one of zsh, bash%0Ahint: write one of zsh, bash',
  )
  expect(lines[1]).toMatch(/^::warning file=rooms\/r\.yml,line=1,col=1,title=template-unknown-variable::/)
  expect(lines[2]).toMatch(/^::error file=a b\/100%25%2Cx%3Ay\.yml,line=3,col=8,title=invalid-value::<"&'> %25 /)
  expect(lines[3]).toBe('2 errors, 1 warning in 3 files')
})

test('lists exactly the diagnostic codes that the program uses', () => {
  const folders = ['schemas', 'controller']
  const texts = folders.flatMap((folder) =>
    readdirSync(join(top, folder), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && !file.endsWith('codes.ts'))
      .map((file) => readFileSync(join(top, folder, file), 'utf8')),
  )
  const said = new Set(texts.flatMap((text) => [...text.matchAll(/code: '([a-z0-9-]+)'/g)].map((match) => match[1]!)))
  expect([...said].filter((code) => !Object.hasOwn(CODES, code))).toEqual([])
  expect(Object.keys(CODES).filter((code) => !texts.some((text) => text.includes(`'${code}'`)))).toEqual([])
})

test('documents the meaning and next step of each code in order', () => {
  const page = readFileSync(join(top, 'docs', 'errors.md'), 'utf8')
  const rows = [...page.matchAll(/^\| `([a-z0-9-]+)` \| (.+?) \| (.+?) \|$/gm)].map((match) => ({
    code: match[1]!,
    meaning: match[2]!,
    next: match[3]!,
  }))
  expect(rows.map(({ code }) => code)).toEqual(Object.keys(CODES).sort())
  for (const { code, meaning, next } of rows) {
    expect(meaning).toContain(CODES[code as keyof typeof CODES])
    expect(next.length).toBeGreaterThan(10)
  }
})

/** A strict XML parser: throws on an unclosed tag or an unescaped character. */
function parseXml(xml: string): { counts: Record<string, number>; texts: string[] } {
  const counts: Record<string, number> = {}
  const texts: string[] = []
  const open: string[] = []
  for (const match of xml
    .replace(/^<\?xml [^?]*\?>/, '')
    .matchAll(/<(\/?)([a-z-]+)((?: [a-z]+="[^"<]*")*)(\/?)>|([^<]+)|(.)/gs)) {
    const [, closing, tag, attributes, empty, text, wrong] = match
    if (wrong !== undefined) throw new Error(`stray ${wrong} at ${match.index}`)
    if (/&(?!(amp|lt|gt|quot|apos|#10|#9);)/.test((attributes ?? '') + (text ?? '')))
      throw new Error(`bare & at ${match.index}`)
    if (text !== undefined) texts.push(text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&'))
    else if (closing) {
      if (open.pop() !== tag) throw new Error(`</${tag}> closes nothing`)
    } else {
      counts[tag!] = (counts[tag!] ?? 0) + 1
      if (!empty) open.push(tag!)
    }
  }
  if (open.length > 0) throw new Error(`<${open.join('> <')}> left open`)
  return { counts, texts }
}
