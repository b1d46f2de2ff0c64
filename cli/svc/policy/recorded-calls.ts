// Which recorded tool calls another policy would decide differently.
import { InvalidArgumentError } from 'commander'
import { orchestratorOperations } from '../../../schemas/operations/orchestrator/index.ts'
import type { ToolPolicy } from '../../../schemas/tools/policy.ts'
import { MOST_RECORDED, type TestedCall } from '../../../schemas/tools/policy-test.ts'
import { connect } from '../../http-client.ts'
import { findAgent } from '../../lookup.ts'
import type { UrlOption } from '../../options.ts'
import { exact } from '../../output/print.ts'
import { renderTable } from '../../output/table.ts'

/** Commands of everyday length are judged in a few milliseconds each. */
const TIMEOUT_MS = 300_000

export interface RecordedOptions extends UrlOption {
  recorded?: number
  agent?: string
}

export interface Replay {
  calls: TestedCall[]
  changed: number
  unchanged: number
  not_judged: number
}

export function callCount(text: string): number {
  const count = Number(text)
  if (/^\d+$/.test(text) && count >= 1 && count <= MOST_RECORDED) return count
  throw new InvalidArgumentError(`expected a number from 1 to ${MOST_RECORDED}`)
}

export async function replay(policy: ToolPolicy, { recorded, agent: word, url }: RecordedOptions): Promise<Replay> {
  const agent = word === undefined ? undefined : (await findAgent(word, { url })).id
  const client = connect(orchestratorOperations, { url, timeoutMs: TIMEOUT_MS })
  const { calls } = await client.testPolicy({ body: { tool_policy: policy, recorded, agent } })
  const changed = calls.filter(isChanged).length
  const notJudged = calls.filter(({ after }) => after === null).length
  return { calls, changed, unchanged: calls.length - changed - notJudged, not_judged: notJudged }
}

const isChanged = ({ before, after }: TestedCall): boolean => after !== null && after !== before

/** What gets wider comes first. */
const CHANGES = ['deny to allow', 'ask to allow', 'deny to ask', 'allow to deny', 'allow to ask', 'ask to deny']
const changeOf = ({ before, after }: TestedCall): string => `${before} to ${after}`

/** Equal calls are one row. */
export function replayText(done: Replay, { agent }: RecordedOptions): string {
  const { calls, changed, unchanged, not_judged } = done
  if (calls.length === 0) return `No recorded calls${agent === undefined ? '' : ` of ${exact(agent)}`}.`
  const rows = [...grouped(calls.filter(isChanged)).values()].toSorted(
    ([one], [other]) => CHANGES.indexOf(changeOf(one!)) - CHANGES.indexOf(changeOf(other!)),
  )
  const table = renderTable(
    rows,
    [
      { title: 'BEFORE', value: ([call]) => call!.before },
      {
        title: 'AFTER',
        value: ([call]) => call!.after,
        colour: ([call]) => (call!.after === 'allow' ? 'yellow' : undefined),
      },
      { title: 'TIMES', value: (group) => group.length },
      ...(agent === undefined ? [{ title: 'AGENT', value: ([call]: TestedCall[]) => call!.agent }] : []),
      { title: 'CALL', value: ([call]) => exact(`${call!.tool}(${call!.input})`), kind: 'text' },
      { title: 'REASON', value: ([call]) => call!.reason && exact(call!.reason), kind: 'text' },
    ],
    '',
  )
  const counts = CHANGES.flatMap((change) => {
    const count = calls.filter((call) => isChanged(call) && changeOf(call) === change).length
    return count > 0 ? [`${count} from ${change}`] : []
  })
  const how = counts.length > 0 ? ` (${counts.join(', ')})` : ''
  const head = `${calls.length} recorded ${calls.length === 1 ? 'call' : 'calls'}`
  const summary = `${head}: ${changed} would change${how}, ${unchanged} would not, ${not_judged} not judged`
  return `${rows.length > 0 ? table : ''}${summary}`
}

function grouped(calls: readonly TestedCall[]): Map<string, TestedCall[]> {
  const groups = new Map<string, TestedCall[]>()
  for (const call of calls) {
    const { at: _at, workflow: _workflow, ...same } = call
    const key = JSON.stringify(same)
    groups.set(key, [...(groups.get(key) ?? []), call])
  }
  return groups
}
