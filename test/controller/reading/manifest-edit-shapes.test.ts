import { expect, test } from 'vitest'
import { isDeepStrictEqual } from 'node:util'
import { Document, isCollection } from 'yaml'
import { acceptChange, type AcceptTarget } from '../../../controller/reading/manifest-edit.ts'
import { parseYaml } from '../../../controller/reading/yaml/parse.ts'
import { kinds } from '../../../schemas/kinds.ts'
import { counted } from '../../support/counts.ts'
import { Random } from '../../support/random.ts'

const target: AcceptTarget = { definition: kinds.find(({ kind }) => kind === 'agents')!, name: 'a' }

const TEXTS = [
  'plain',
  'a: b',
  '# no comment',
  'yes',
  '',
  ' padded ',
  "it's",
  '"q"',
  '- dash',
  'x\ty',
  '{{braces}}',
  'é 😀',
]
const LINES = ['One', '', '  indented', '# not a comment', '- item', 'key: value', 'end ', 'tab\there', '---', '...']

/** A field and its lines. */
interface Piece {
  member: string
  lines: string[]
}

/** Generates fields of agent `a` in random YAML styles. */
class Writer {
  constructor(readonly random: Random) {}

  text(): string {
    return this.random.pick(TEXTS)
  }

  lines(): string {
    const body = Array.from({ length: 1 + this.random.whole(5) }, () => this.random.pick(LINES)).join('\n')
    return `First\n${body}\n${this.random.pick(['', '\n', 'Last'])}`
  }

  words(): string[] {
    return Array.from(
      { length: this.random.whole(4) },
      (_, index) => `/dir ${index}${this.random.pick(['', ', x', ': y', ' # z'])}`,
    )
  }

  value(member: string): unknown {
    switch (member) {
      case 'prompt':
      case 'system_prompt':
        return this.random.chance(0.5) ? this.text() : this.lines()
      case 'command':
      case 'additional_dirs':
        return this.words()
      case 'worktree':
        return this.random.chance(0.5)
      case 'max_cost_usd':
        return this.random.whole(50) + 0.5
      case 'tool_policy':
        return {
          mode: this.random.pick(['allow_list', 'deny_list']),
          tools: ['Read', 'Bash(ls *)'].slice(this.random.whole(2)),
        }
      default:
        return this.random.pick(['alpha', 'beta-2', 'gamma 3'])
    }
  }

  piece(member: string): Piece {
    const value = this.value(member)
    const document = new Document({ [member]: value }, { aliasDuplicateObjects: false })
    const node: unknown = document.get(member, true)
    if (isCollection(node)) node.flow = this.random.chance(0.4)
    const text = document.toString({
      lineWidth: this.random.pick([0, 0, 30]),
      indent: this.random.pick([2, 4]),
      indentSeq: this.random.chance(0.5),
      blockQuote: this.random.pick([true, 'literal', 'folded']),
      flowCollectionPadding: this.random.chance(0.5),
      defaultStringType: this.random.pick(['PLAIN', 'PLAIN', 'QUOTE_SINGLE', 'QUOTE_DOUBLE']),
      defaultKeyType: this.random.pick(['PLAIN', 'PLAIN', 'QUOTE_DOUBLE']),
      doubleQuotedAsJSON: true,
    })
    const lines = text.replace(/\n$/, '').split('\n')
    if (lines.length === 1 && !/[|>&]/.test(text) && this.random.chance(0.3)) lines[0] += '   # beside it'
    return { member, lines }
  }
}

const MEMBERS = [
  'prompt',
  'system_prompt',
  'command',
  'additional_dirs',
  'worktree',
  'max_cost_usd',
  'tool_policy',
  'model',
  'user',
]
const OTHER = ['name: b', 'working_dir: .', 'prompt: |', '  name: a', '  # inside']

interface Written {
  lines: string[]
  /** Line range of each field; the end is exclusive. */
  spans: Map<string, [number, number]>
  values: Record<string, unknown>
}

/** Adds comments, blank lines and other documents. Returns null if the result is not valid YAML. */
function manifest(writer: Writer): Written | null {
  const { random } = writer
  const lines: string[] = []
  const spans = new Map<string, [number, number]>()
  lines.push(...random.pick([[], [], ['# top', '---'], [...OTHER, '---']]))
  const members = MEMBERS.filter(() => random.chance(0.6))
  for (const member of ['name', ...members]) {
    if (random.chance(0.2)) lines.push('# above it')
    if (lines.length > 0 && random.chance(0.15)) lines.push('')
    const piece = member === 'name' ? { member, lines: ['name: a', 'working_dir: .'] } : writer.piece(member)
    spans.set(member, [lines.length, lines.length + piece.lines.length])
    lines.push(...piece.lines)
  }
  if (random.chance(0.3)) lines.push('# at the end')
  if (random.chance(0.3)) lines.push('---', ...OTHER)
  const { documents } = parseYaml(lines.join('\n'))
  const values = documents.map(({ value }) => value as Record<string, unknown>).find((value) => value?.name === 'a')
  return values && documents.every(({ faults }) => faults.length === 0) ? { lines, spans, values } : null
}

/** Number of equal lines at the start and at the end. */
function equalEnds(before: readonly string[], after: readonly string[]): [head: number, tail: number] {
  let head = 0
  while (head < before.length && head < after.length && before[head] === after[head]) head++
  let tail = 0
  while (tail < Math.min(before.length, after.length) - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++
  return [head, tail]
}

/** `SEEDS=20000` tries more. */
const SEEDS = Number(process.env.SEEDS ?? 600)

test('changes only the lines of the field in any YAML style', () => {
  const broken: string[] = []
  let tried = 0
  for (let seed = 1; seed <= SEEDS; seed++) {
    const writer = new Writer(new Random(seed))
    const written = manifest(writer)
    if (!written) continue
    const { lines, spans, values } = written
    const newline = writer.random.chance(0.15) ? '\r\n' : '\n'
    const text = lines.join(newline) + (writer.random.chance(0.8) ? newline : '')
    const member = writer.random.pick(MEMBERS)
    const value = writer.random.chance(0.15) ? undefined : writer.value(member)
    if (isDeepStrictEqual(values[member], value)) continue
    tried++
    const say = (what: string) =>
      void broken.push(`seed ${seed}, ${member} = ${JSON.stringify(value)}: ${what}\n${text}`)
    try {
      const after = acceptChange(text, target, member, value).split(newline)
      const before = text.split(newline)
      const [head, tail] = equalEnds(before, after)
      const [from, to] = spans.get(member) ?? [head, head]
      // Equal lines at both ends may be counted to either.
      if (Math.min(head, from) < from || before.length - tail > Math.max(to, head))
        say(`changed lines ${head} to ${before.length - tail}\n--- after\n${after.join('\n')}`)
    } catch (error) {
      say((error as Error).message)
    }
  }
  counted('fields written to manifests of any YAML style', tried)
  expect(broken.slice(0, 3).join('\n=====\n')).toBe('')
})

const ANCHORED = `name: a
working_dir: .
prompt: &words Be kind  # of everybody
system_prompt: *words
model: *words
env:
  A: *words
`

test('moves the anchor to the first alias when its value changes', () => {
  const text = acceptChange(ANCHORED, target, 'prompt', 'Be quick')
  expect(text).toBe(
    ANCHORED.replace('prompt: &words Be kind', 'prompt: Be quick').replace(
      '_prompt: *words',
      '_prompt: &words Be kind',
    ),
  )
})

test('replaces an alias with a value and keeps the anchor', () => {
  expect(acceptChange(ANCHORED, target, 'model', 'opus')).toBe(ANCHORED.replace('model: *words', 'model: opus'))
})

test('keeps a comment beside the header of a new block', () => {
  const text = acceptChange(ANCHORED, target, 'prompt', 'Be kind\nand quick\n')
  expect(text).toContain('prompt: |  # of everybody\n  Be kind\n  and quick\nsystem_prompt: &words Be kind\n')
})

test('preserves the blank lines of a block when adding a field', () => {
  const text = 'name: a\nworking_dir: .\nprompt: |+\n  Go\n\n---\nname: b\n'
  expect(acceptChange(text, target, 'model', 'opus')).toBe(text.replace('---', 'model: opus\n---'))
})
