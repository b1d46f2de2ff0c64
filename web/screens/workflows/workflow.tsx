import type { WorkflowRecord } from '../../../schemas/workflow/record.ts'
import { pagePath, PageLink } from '../../frame/page-link.tsx'
import { stateTopic } from '../../live/topics.ts'
import { useLive, useRecord, useTopic } from '../../live/use-live.ts'
import { usePages } from '../../live/use-pages.ts'
import { SidesMark } from '../../parts/states/mark.tsx'
import { Shape, StateWord } from '../../parts/states/shape.tsx'
import { Quoted } from '../../parts/text/quoted.tsx'
import { ShortId } from '../../parts/text/short-id.tsx'
import { WorkflowActions } from './actions.tsx'
import { chainOf } from './chain.ts'
import { Chain } from './chain-list.tsx'
import { Firings } from './firings.tsx'
import { History } from './history.tsx'
import { PromptPart } from './prompt.tsx'
import type { WorkflowRow } from './rows.ts'
import { TriggerPart } from './trigger.tsx'
import { useAgents } from './use-agents.ts'
import styles from './workflows.module.css'

interface WorkflowViewProps {
  row: WorkflowRow
  workflows: readonly WorkflowRecord[]
  /** False just after the workflow has replaced another one on screen. */
  isAwake: boolean
}

/** One workflow: its trigger, its prompt, its chain and its history. */
export function WorkflowView({ row, workflows, isAwake }: WorkflowViewProps) {
  const { workflow } = row
  const { id, warnings, last_fired_at } = workflow
  const { orchestrator } = useLive().clients
  const agent = useAgents()?.get(workflow.agent_id)
  // A dispatch changes when the trigger fires and when its agent begins or ends a turn.
  const dispatches = usePages(
    ['dispatches', id],
    ({ query, signal }) => orchestrator.listDispatches({ params: { id }, query, signal }),
    `${workflow.updated_at} ${last_fired_at} ${agent?.updated_at} ${agent?.activity}`,
    ({ status }) => status === 'pending' || status === 'dispatched',
  )
  const firings = usePages(
    ['firings', id],
    ({ query, signal }) => orchestrator.listFirings({ params: { id }, query, signal }),
    // A run by hand does not change the workflow.
    `${workflow.updated_at} ${last_fired_at} ${dispatches.items?.[0]?.id}`,
    () => false,
  )
  return (
    <>
      <div className="pad">
        <Heading row={row} />
        {warnings.map((warning) => (
          <p key={warning}>
            <Shape state="warning" /> <Quoted text={warning} />
          </p>
        ))}
        <TriggerPart workflow={workflow} workflows={workflows} />
        <PromptPart workflow={workflow} dispatches={dispatches.items} />
        <Chain links={chainOf(workflows, workflow)} current={id} />
        <History dispatches={dispatches} agent={row.agent} />
        <Firings firings={firings} />
      </div>
      <WorkflowActions row={row} isAwake={isAwake} />
    </>
  )
}

function Heading({ row: { workflow, state, word, agent } }: { row: WorkflowRow }) {
  const { name, agent_id, tool_policy, on_restart } = workflow
  const resource = useRecord(useTopic(stateTopic).cache, `workflows/${name}`)
  return (
    <>
      <div className="title">
        <h2 className={styles['heading']}>
          <Quoted text={name} />
        </h2>
        {resource && (
          <>
            <SidesMark sides={resource.sides} />
            <PageLink path={pagePath('state', 'workflows', name)}>
              <Quoted text={`${resource.file}:${resource.line}`} mono />
            </PageLink>
          </>
        )}
      </div>
      <p className={styles['summary']}>
        <StateWord state={state} word={word} />
        <span className="soft">
          on{' '}
          <PageLink path={pagePath('agents', agent_id, 'talk')}>
            {agent === null ? <ShortId id={agent_id} /> : <Quoted text={agent} />}
          </PageLink>
          , policy {tool_policy.mode === 'auto' ? 'of the agent' : tool_policy.mode}, on restart:{' '}
          {on_restart ?? 'default of the daemon'}
        </span>
      </p>
    </>
  )
}
