import { groupBy } from '../../../../platform/core/group-by.ts'
import type { ConductorItem, ConductorRun } from '../../../../schemas/conductor/run.ts'
import { conductorOperations as group, createRun, getRun } from '../../../../schemas/operations/conductor.ts'
import { link, named, plain, quoted, type ItemDraft } from '../parts.ts'
import type { InboxEntry } from './entry.ts'

/** From the newest run of each repository that judged its pull requests. */
export const gate: InboxEntry = {
  service: group.service,
  find: async (reads) => {
    const { items: runs, isWhole } = await reads.runs()
    const judged = [...groupBy(runs, ({ repository }) => repository)].map(([repository, all]) => ({
      repository,
      runs: all.slice(0, RUNS_WITH_ITEMS).filter(isJudgement),
    }))
    const others = judged.filter((each) => each.runs.length === 0).map(({ repository }) => repository)
    const unread = others.length === 0 ? null : `no recent run judged the pull requests of ${others.join(', ')}`
    return { items: judged.flatMap((each) => gatesOf(each.runs)), isWhole, unread }
  },
}

/** Older runs of a repository are listed without items. */
const RUNS_WITH_ITEMS = 20

function isJudgement({ status, items }: ConductorRun): boolean {
  const isEnded = status === 'done' || status === 'stopped'
  return isEnded && (items.length === 0 || items.some(({ situation }) => situation !== null))
}

/** `runs`: of one repository, newest first. */
function gatesOf(runs: readonly ConductorRun[]): ItemDraft[] {
  const [newest] = runs
  return newest?.items.filter(isGated).map((item) => gateItem(item, runs)) ?? []
}

const isGated = ({ situation }: ConductorItem): boolean => situation === 'gate'

function gateItem({ number, title, rules }: ConductorItem, runs: readonly ConductorRun[]): ItemDraft {
  const { repository, id } = runs[0]!
  const reason = rules.find(({ rule }) => rule === 'gate')?.reason ?? null
  return {
    id: `gate/${repository}/${number}`,
    group: `gates/${repository}`,
    since: firstOf(number, runs),
    title: [plain('Pull request '), named(`${repository}#${number}`), plain(' waits at a gate')],
    detail: [quoted(title, repository), ...(reason === null ? [] : [plain(': '), quoted(reason, group.service)])],
    links: [link(group, createRun, { body: { repository } }), link(group, getRun, { params: { id } })],
  }
}

/** Start of the first run of those without a break that found it at the gate. */
function firstOf(number: number, runs: readonly ConductorRun[]): string {
  const end = runs.findIndex(({ items }) => !items.some((item) => item.number === number && isGated(item)))
  return runs.at(end < 0 ? -1 : end - 1)!.started_at
}
