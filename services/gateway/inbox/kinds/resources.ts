import { groupBy } from '../../../../platform/core/group-by.ts'
import { controllerOperations as group } from '../../../../schemas/operations/controller.ts'
import { resumeResource, suspendResource } from '../../../../schemas/operations/gitops/contest.ts'
import { acceptDrift, planDriftRevert } from '../../../../schemas/operations/gitops/drift.ts'
import { getResource } from '../../../../schemas/operations/gitops/resources.ts'
import type { Drift } from '../../../../schemas/resource.ts'
import { counted, link, named, plain, type ItemDraft } from '../parts.ts'
import { entry, type InboxEntry } from './entry.ts'

export const contest = entry(
  group,
  (reads) => reads.contested(),
  ({ kind, name, id, contested }) => {
    if (!contested) return []
    const { paths, actors, since } = contested
    const params = { kind, name }
    return [
      {
        id: `contest/${id}`,
        since,
        title: [named(id), plain(' is contested: nothing is written to it')],
        detail: [named(paths.join(', ')), plain(' keeps being changed by '), named(actors.join(', '))],
        links: [
          link(group, resumeResource, { params }),
          link(group, suspendResource, { params }),
          link(group, getResource, { params }),
        ],
      },
    ]
  },
)

/** One item per resource. Contested resources are items of the kind contest. */
export const drift: InboxEntry = {
  service: group.service,
  find: async (reads) => {
    const [contested, open] = await Promise.all([reads.contested(), reads.drift()])
    const others = new Set(contested.items.map(({ id }) => id))
    const byResource = groupBy(open.items, ({ kind, name }) => `${kind}/${name}`)
    const items = [...byResource].flatMap(([id, records]) => (others.has(id) ? [] : [driftItem(id, records)]))
    return { items, isWhole: open.isWhole }
  },
}

function driftItem(id: string, records: readonly Drift[]): ItemDraft {
  const [oldest, ...others] = records.toSorted((a, b) => (a.first_seen < b.first_seen ? -1 : 1))
  const { id: drifted, kind, name, path, actor, first_seen } = oldest!
  const params = { kind, name }
  const what = path === '' ? plain('It is missing') : named(path)
  return {
    id: `drift/${id}`,
    since: first_seen,
    title: [named(id), plain(' has drifted')],
    detail: [
      what,
      ...(path === '' ? [] : [plain(' differs from the last applied value')]),
      ...(actor === null ? [] : [plain(', by '), named(actor)]),
      ...(others.length > 0 ? [plain(`, and ${counted(others.length, 'more field')}`)] : []),
    ],
    links: [
      // Its hash is for the revert of what the person saw.
      link(group, planDriftRevert, { params: { id: drifted } }),
      link(group, acceptDrift, { params }),
      link(group, suspendResource, { params }),
      link(group, getResource, { params }),
    ],
  }
}
