import * as Type from 'typebox'
import { ForgeIssue } from '../../../../schemas/forge/items.ts'
import { valueCheck } from '../../../../schemas/validation/fields.ts'
import { ForgePoll, type ForgeSource } from '../forge-poll.ts'
import type { TriggerDefinition } from './contract.ts'

const source: ForgeSource<ForgeIssue> = {
  kind: 'issues',
  check: valueCheck(Type.Array(ForgeIssue), 'the list'),
  // Forges list pull requests as issues; labels are filtered by the forge.
  matches: (issue) => issue.pull_request == null,
  metadata: () => ({}),
}

export const forgeIssues: TriggerDefinition = {
  type: 'forge_issues',
  fires: 'polled',
  open: (world, workflow) => new ForgePoll(world, workflow, source),
}
