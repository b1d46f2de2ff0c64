import type { Command } from 'commander'
import { typed } from '../../command-line.ts'
import { kinds } from '../../../schemas/kinds.ts'
import { commonMembers, type KindDefinition } from '../../../schemas/kind.ts'
import { nearestHint } from '../../../schemas/validation/nearest.ts'
import { misuse } from '../../failure.ts'
import { kindNamed } from '../../kind.ts'
import { withExamples, withOutput, type OutputOption } from '../../options.ts'
import { show } from '../../output/data.ts'
import { paint, wrapped } from '../../output/print.ts'
import { describe, type MemberText, type SchemaNode } from './schema-text.ts'

export function define(command: Command): void {
  command.argument(
    '<field>',
    `KIND or KIND.field, such as agents.tool_policy.mode; kinds: ${kinds.map(({ kind }) => kind).join(', ')}`,
  )
  withExamples(withOutput(command), 'svc explain agents', 'svc explain workflows.trigger_config').action(explain)
}

async function explain(text: string, options: OutputOption): Promise<void> {
  const [word = '', ...path] = text.split('.').filter((each) => each !== '')
  const kind = kindNamed(word)
  let node = kind.schema as SchemaNode
  for (const [at, member] of path.entries()) node = below(node, member, [kind.kind, ...path.slice(0, at)].join('.'))
  await show(node, options, () => explained(kind, path, node))
}

function below(node: SchemaNode, member: string, at: string): SchemaNode {
  const { members, anyName } = describe(node)
  const found = members.find(({ name }) => name === member)?.node ?? anyName
  if (found) return found
  const names = members.map(({ name }) => name)
  throw misuse(
    `${at} has no field ${member}`,
    names.length > 0
      ? nearestHint(member, names, `its fields are ${names.join(', ')}`)
      : `it is ${describe(node).type}`,
  )
}

const COSTS = {
  'in-place': 'applied immediately',
  restart: 'restarts the agent when it is idle',
  replace: 'recreates the resource',
}

/** Fields common to all kinds go last, except the name. */
const ownFirst = (members: readonly MemberText[]): MemberText[] => {
  const isCommon = ({ name }: MemberText) => name !== 'name' && Object.hasOwn(commonMembers, name)
  return [...members.filter((member) => !isCommon(member)), ...members.filter(isCommon)]
}

function isSecret({ secrets }: KindDefinition, path: readonly string[]): boolean {
  const standsAt = (secret: readonly string[]) =>
    secret.every((step, at) => step === '*' || step === path[at]) && secret.length <= path.length + 1
  return path.length > 0 && secrets.some(standsAt)
}

function explained(kind: KindDefinition, path: readonly string[], node: SchemaNode): string {
  const colours = paint()
  const { type, about, members: found } = describe(node)
  const members = path.length === 0 ? ownFirst(found) : found
  const facts: [string, string | null][] = [
    ['type', type],
    ['about', about],
    ['secret', isSecret(kind, path) ? 'stored encrypted, shown as ***' : null],
    ['change', path.length === 0 ? null : COSTS[kind.change(path[0]!)]],
    ['files', path.length === 0 ? `${kind.kind}/NAME.yml, or any file with kind: ${kind.manifestKind}` : null],
  ]
  const width = Math.max(0, ...members.map(({ name }) => name.length))
  return [
    colours.bold([kind.kind, ...path].join('.')),
    ...facts.flatMap(([title, text]) => (text ? [`  ${title.padEnd(8)}${wrapped(text, 10)}`] : [])),
    ...(members.length > 0 ? ['', 'fields'] : []),
    ...members.map(({ name, node: each, required, of }) => {
      const { type: shape, about: what } = describe(each)
      const notes = [`${shape}${required ? ' (required)' : ''}`, ...(of ? [`only for ${of}`] : [])].join(', ')
      return `  ${colours.cyan(name.padEnd(width))}  ${wrapped(what ? `${notes}: ${what}` : notes, width + 4)}`
    }),
    ...(members.length > 0
      ? [
          '',
          `describe one: ${typed`svc explain ${[kind.kind, ...path, (members.find(({ node: each }) => describe(each).members.length > 0) ?? members[0]!).name].join('.')}`}`,
        ]
      : []),
  ].join('\n')
}
