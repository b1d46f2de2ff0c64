import type { Command } from 'commander'
import { blameResource, type BlamedMember } from '../../../schemas/operations/gitops/blame.ts'
import { controllerOperations } from '../../../schemas/operations/controller.ts'
import { resourceId } from '../../options.ts'
import { age } from '../../output/duration.ts'
import { visible } from '../../output/print.ts'
import { fits, renderTable, type Column } from '../../output/table.ts'
import { defineVerb } from '../../verb.ts'

export function define(command: Command): void {
  defineVerb(command, controllerOperations, blameResource, {
    args: [
      { member: 'resource', shown: '<resource>', help: 'KIND/NAME' },
      { member: 'path', shown: '[path]', help: 'Only this field and the fields below it, such as tool_policy' },
    ],
    request: ({ resource, ...members }) => ({ ...members, ...resourceId(String(resource)) }),
    examples: ['svc blame agents/planner', 'svc blame agents/planner tool_policy'],
    done: ({ members }) => {
      const said = members.filter((member) => !isUnset(member))
      const left = members.length - said.length
      const more = left > 0 ? `and ${left} more unset ${left === 1 ? 'field' : 'fields'}` : ''
      return said.length === 0 ? `no field is set: ${left} empty` : `${table(said)}${more}`
    },
  })
}

/** On a narrow terminal a common manifest is printed above the table, which then shows only line numbers. */
function table(members: readonly BlamedMember[]): string {
  const whole = columnsOf(members, whereOf)
  const [file, ...others] = new Set(members.flatMap((member) => fileOf(member) ?? []))
  if (file === undefined || others.length > 0 || fits(members, whole)) return renderTable(members, whole, 'No fields.')
  const inFile = (member: BlamedMember) =>
    fileOf(member) === null ? whereOf(member) : `line ${member.place!.slice(file.length + 1)}`
  return `${visible(file)}\n\n${renderTable(members, columnsOf(members, inFile), 'No fields.')}`
}

type Cell = (member: BlamedMember) => string | null

const columnsOf = (members: readonly BlamedMember[], where: Cell): readonly Column<BlamedMember>[] => [
  { title: 'FIELD', value: ({ path }) => path },
  { title: 'SET BY', value: ({ owner }) => owner, colour: colourOf },
  { title: 'WHERE', value: where, kind: 'path' },
  ...(members.some(isByHand) ? [{ title: 'AGO', value: agoOf, kind: 'time' as const }] : []),
  { title: 'VALUE', value: valueOf, kind: 'text' },
]

/** Path of the manifest without line and column. */
const fileOf = (member: BlamedMember): string | null =>
  isByHand(member) ? null : (member.place?.replace(/:\d+:\d+$/, '') ?? null)

const EMPTY = new Set(['null', '[]', '{}'])

const isUnset = ({ owner, value }: BlamedMember): boolean =>
  owner === 'default' && EMPTY.has(JSON.stringify(value ?? null))

const valueOf = ({ value }: BlamedMember): string | null =>
  typeof value === 'string' || value === null ? value : JSON.stringify(value)

const isByHand = ({ owner }: BlamedMember): boolean => owner.startsWith('api:')

const colourOf = (member: BlamedMember) =>
  isByHand(member) ? 'yellow' : member.owner === 'default' ? 'dim' : undefined

const whereOf = (member: BlamedMember): string | null =>
  isByHand(member) && member.at ? member.endpoint : member.place

const agoOf = (member: BlamedMember): string | null => (isByHand(member) && member.at ? age(member.at) : null)
