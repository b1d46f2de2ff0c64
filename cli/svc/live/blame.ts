// `svc blame`: who set each member of a resource.
import type { Command } from 'commander'
import { blameResource, type BlamedMember } from '../../../schemas/operations/blame.ts'
import { controllerOperations } from '../../../schemas/operations/controller.ts'
import { resourceId } from '../../options.ts'
import { age } from '../../output/duration.ts'
import { renderTable } from '../../output/table.ts'
import { defineVerb } from '../../verb.ts'

export function define(command: Command): void {
  defineVerb(command, controllerOperations, blameResource, {
    args: [
      { member: 'resource', shown: '<resource>', help: 'KIND/NAME' },
      { member: 'path', shown: '[path]', help: 'one member and what it is made of, such as tool_policy' },
    ],
    request: ({ resource, ...members }) => ({ ...members, ...resourceId(String(resource)) }),
    examples: ['svc blame agents/planner', 'svc blame agents/planner tool_policy'],
    done: ({ members }) =>
      renderTable(
        members,
        [
          { title: 'MEMBER', value: ({ path }) => path },
          { title: 'SET BY', value: ({ owner }) => owner, colour: colourOf },
          { title: 'WHERE', value: whereOf, keep: 'end' },
          { title: 'VALUE', value: ({ value }) => (typeof value === 'string' ? value : JSON.stringify(value)) },
        ],
        'No member.',
      ),
  })
}

const isByHand = ({ owner }: BlamedMember): boolean => owner.startsWith('api:')

const colourOf = (member: BlamedMember) =>
  isByHand(member) ? 'yellow' : member.owner === 'default' ? 'dim' : undefined

const whereOf = (member: BlamedMember): string | null =>
  isByHand(member) && member.at ? `${member.endpoint ?? ''} ${age(member.at)} ago`.trim() : member.place
