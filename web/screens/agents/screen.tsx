import { useParams } from '@tanstack/react-router'
import { PageLink } from '../../frame/page-link.tsx'
import { ScreenHead } from '../../frame/screen-head.tsx'
import { TopicStates } from '../../frame/topic-states.tsx'
import { agentsTopic } from '../../live/topics.ts'
import { useRecord, useTopic } from '../../live/use-live.ts'
import { EmptyNotice } from '../../parts/states/notices.tsx'
import { AgentView } from './agent.tsx'
import styles from './agents.module.css'
import { Beside } from './beside.tsx'
import { AgentList } from './list.tsx'

/** The list of agents, or one agent. */
export default function AgentsScreen() {
  const { id, tab } = useParams({ strict: false }) as { id?: string; tab?: string }
  const topic = useTopic(agentsTopic)
  const agent = useRecord(topic.cache, id ?? '')
  if (id === undefined) return <AgentList topic={topic} />
  if (agent)
    return (
      <div className={styles['wide']}>
        <Beside current={id} tab={tab ?? 'talk'} />
        <AgentView key={id} agent={agent} tab={tab ?? 'talk'} />
      </div>
    )
  return (
    <div className={styles['screen']}>
      <ScreenHead title="Agent">
        <PageLink path="/agents" keepSearch>
          All agents
        </PageLink>
      </ScreenHead>
      <TopicStates topic={topic} name="agents" count={topic.isKnown ? 1 : 0} needs="a role">
        <EmptyNotice what="No agent has this id. It may have been deleted." command="agent orchestrator list-agents" />
      </TopicStates>
    </div>
  )
}
