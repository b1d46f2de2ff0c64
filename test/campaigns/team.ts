// Random teams, and random spellings of the same team.
import { Document, isCollection, visit } from 'yaml'
import type { Random } from '../support/random.ts'

export type Members = Record<string, unknown>
export interface Declared {
  kind: 'Policy' | 'Room' | 'Document' | 'Agent' | 'Workflow'
  members: Members & { name: string }
}
export interface ManifestFile {
  path: string
  content: string
}

const FOLDERS = { Policy: 'policies', Room: 'rooms', Document: 'documents', Agent: 'agents', Workflow: 'workflows' }
const TOOLS = ['Read', 'Grep', 'Glob', 'Edit', 'Bash(git log *)', 'Bash(ls [ab]*)', 'WebFetch']
const TEXTS = [
  'plan',
  'Two\nlines: "quoted", {{title}} # no comment\n',
  '  led by blanks',
  'yes',
  '12',
  'ünïcode ✓',
  'a: b',
]
const MODES = ['allow_list', 'deny_list', 'allow_all', 'deny_all', 'require_approval']

/** Sorted `kind/name`. */
export const idsOf = (team: readonly Declared[]): string[] =>
  team.map(({ kind, members }) => `${FOLDERS[kind]}/${members.name}`).sort()

/** Lists in which order is irrelevant. */
const UNORDERED = new Set(['tools', 'participants', 'rooms', 'additional_dirs', 'may', 'tags', 'labels'])

export function shuffled<T>(random: Random, list: readonly T[]): T[] {
  const left = [...list]
  return list.map(() => left.splice(random.whole(left.length), 1)[0]!)
}

const some = <T>(random: Random, list: readonly T[], most = 3): T[] =>
  shuffled(random, list).slice(0, 1 + random.whole(most))
const named = (word: string, count: number): string[] => Array.from({ length: count }, (_, at) => `${word}-${at}`)

function policyOf(random: Random): Members {
  const mode = random.pick(MODES)
  return mode.endsWith('_list') ? { mode, tools: some(random, TOOLS, 5) } : { mode }
}

/** Resources of every kind that needs no git, with references. */
export function teamOf(random: Random): Declared[] {
  const [policies, rooms] = [named('policy', random.whole(3)), named('room', random.whole(3))]
  const agents = named('agent', 1 + random.whole(4))
  return [
    ...policies.map((name): Declared => ({
      kind: 'Policy',
      members: { name, ...policyOf(random), ...maybe(random, 'description') },
    })),
    ...rooms.map((name): Declared => ({
      kind: 'Room',
      members: { name, ...maybe(random, 'topic'), ...participants(random) },
    })),
    ...named('document', random.whole(3)).map((name): Declared => ({
      kind: 'Document',
      members: {
        name,
        content: random.pick(TEXTS),
        ...(random.chance(0.5) ? { tags: some(random, ['a', 'b', 'c']) } : {}),
      },
    })),
    ...agents.map((name): Declared => ({ kind: 'Agent', members: { name, ...agentOf(random, policies, rooms) } })),
    ...named('workflow', random.whole(4)).map((name): Declared => ({
      kind: 'Workflow',
      members: { name, agent: random.pick(agents), ...workflowOf(random) },
    })),
  ]
}

const maybe = (random: Random, member: string): Members => (random.chance(0.5) ? { [member]: random.pick(TEXTS) } : {})

const participants = (random: Random): Members =>
  random.chance(0.6)
    ? {
        participants: some(random, ['mira', 'ben', 'ada']).map((identifier) => ({
          identifier,
          kind: 'human',
          role: random.pick(['member', 'admin']),
        })),
      }
    : {}

function agentOf(random: Random, policies: readonly string[], rooms: readonly string[]): Members {
  const isNamed = policies.length > 0 && random.chance(0.5)
  return {
    working_dir: '.',
    shell: 'bash',
    ...random.pick<Members>([{ runtime: 'scripted' }, { runtime: 'command', command: ['sh', '-c', 'b', 'a'] }]),
    ...(isNamed ? { policy: random.pick(policies) } : { tool_policy: policyOf(random) }),
    ...maybe(random, 'prompt'),
    ...maybe(random, 'system_prompt'),
    ...(rooms.length > 0 && random.chance(0.5)
      ? { rooms: some(random, rooms).map((name) => random.pick<unknown>([name, { name, role: 'observer' }])) }
      : {}),
    ...(random.chance(0.3) ? { additional_dirs: some(random, ['/', '/tmp', '/usr']) } : {}),
    ...(random.chance(0.3) ? { may: some(random, ['approve', 'policy', 'agent', 'apply']) } : {}),
    ...(random.chance(0.4) ? { env: { CI: 'true', TOKEN: `planted-${random.whole(1e9)}` } } : {}),
    ...(random.chance(0.3) ? { labels: { team: 'a', b: 'c' } } : {}),
  }
}

function workflowOf(random: Random): Members {
  const source = random.pick<Members>([
    { type: 'manual' },
    { type: 'queue', queue_name: 'jobs' },
    { type: 'cron', expression: '30 2 * * 1-5', timezone: 'Europe/Vienna' },
    { type: 'webhook', secret: `planted-${random.whole(1e9)}` },
    { type: 'forge_issues', owner: 'example', repo: 'harbour', labels: some(random, ['plan', 'bug', 'ask']) },
  ])
  return {
    [random.pick(['source', 'trigger_config', 'source_config'])]: source,
    prompt_template: random.pick(['Look at {{title}}', 'Look at {{ title }}\n\n{{body}}\n']),
    ...(random.chance(0.3) ? { enabled: random.chance(0.5) } : {}),
  }
}

/** Varies the order of keys, lists and files, and indentation, quotes, comments and line ends. */
export function written(team: readonly Declared[], random: Random): ManifestFile[] {
  const together = random.chance(0.3)
  const texts = shuffled(random, team).map(({ kind, members }): ManifestFile & { kind: string } => {
    const hasKind = together || random.chance(0.3)
    const text = textOf(reordered({ ...members, ...(hasKind ? { kind } : {}) }, random), random)
    return { kind, path: `${FOLDERS[kind]}/${members.name}.yml`, content: text }
  })
  const files = together
    ? [
        {
          path: 'team.yml',
          content: texts.map(({ content }) => `---\n${content}`).join(random.chance(0.5) ? '\n' : ''),
        },
      ]
    : texts.map(({ path, content }) => ({ path, content }))
  const isCrlf = random.chance(0.2)
  return files.map(({ path, content }) => ({ path, content: isCrlf ? content.replaceAll('\n', '\r\n') : content }))
}

function reordered(value: unknown, random: Random, member = ''): unknown {
  if (Array.isArray(value)) {
    const list = value.map((each) => reordered(each, random))
    return UNORDERED.has(member) ? shuffled(random, list) : list
  }
  if (typeof value !== 'object' || value === null) return value
  const entries = shuffled(random, Object.entries(value))
  return Object.fromEntries(entries.map(([key, each]) => [key, reordered(each, random, key)]))
}

function textOf(value: unknown, random: Random): string {
  const document = new Document(value)
  visit(document, {
    Node: (_key, node) => {
      if (isCollection(node) && node !== document.contents && random.chance(0.3)) node.flow = true
    },
    Pair: (_key, pair) => {
      const key = pair.key as { commentBefore?: string; spaceBefore?: boolean }
      if (random.chance(0.15)) key.commentBefore = ` ${random.pick(['why', 'name: other', '---'])}`
      if (random.chance(0.15)) key.spaceBefore = true
    },
  })
  return document.toString({
    indent: 2 + random.whole(4),
    lineWidth: random.pick([0, 40, 120]),
    singleQuote: random.chance(0.5),
    defaultStringType: random.pick(['PLAIN', 'PLAIN', 'QUOTE_DOUBLE', 'QUOTE_SINGLE'] as const),
    defaultKeyType: 'PLAIN',
    flowCollectionPadding: random.chance(0.5),
  })
}
