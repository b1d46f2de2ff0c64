import * as Type from 'typebox'
import { ForgePullRequest } from '../../../../schemas/forge/items.ts'
import { valueCheck } from '../../../../schemas/validation/fields.ts'
import { ForgePoll, labelsOf, type ForgeSource } from '../forge-poll.ts'
import type { TriggerDefinition } from './contract.ts'

const source: ForgeSource<ForgePullRequest> = {
  kind: 'pulls',
  check: valueCheck(Type.Array(ForgePullRequest), 'the list'),
  matches: (request, labels) => {
    const has = new Set(labelsOf(request).map((label) => label.toLowerCase()))
    return labels.every((label) => has.has(label.toLowerCase()))
  },
  metadata: ({ number, head, base, draft = false }) => ({
    pr_number: String(number),
    head_ref: head.ref,
    base_ref: base.ref,
    is_draft: String(draft),
  }),
}

export const forgePullRequests: TriggerDefinition = {
  type: 'forge_pull_requests',
  fires: 'polled',
  open: (world, workflow) => new ForgePoll(world, workflow, source),
}
