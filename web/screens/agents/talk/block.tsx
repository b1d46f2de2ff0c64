import { memo } from 'react'
import { Shape } from '../../../parts/states/shape.tsx'
import { headOf } from '../../../parts/text/long-text.ts'
import { SaidMarkdown } from '../../../parts/text/markdown.tsx'
import { Quoted, Said } from '../../../parts/text/quoted.tsx'
import { Moment } from '../../../parts/time/age.tsx'
import styles from './talk.module.css'
import type { Block, Turn } from './blocks.ts'
import { Calls } from './calls.tsx'
import { Timed } from './timed.tsx'
import { useWorkflowName } from './use-workflow-name.ts'
import { WholeText } from './whole-text.tsx'

/** How a turn began, and who signs its prompt. A transcript does not name the sender of a message. */
const TURNS: Readonly<Record<Turn['kind'], { title: string; by: string }>> = {
  initial: { title: 'First prompt', by: 'first prompt' },
  message: { title: 'Message', by: 'sender' },
  dispatch: { title: 'Task of workflow', by: 'workflow' },
  clear: { title: 'New conversation', by: 'svc' },
}

interface BlockViewProps {
  block: Block
  /** Name of the agent. */
  agent: string
  agentId: string
}

/** One block of a conversation. What the agent says is quoted, what svc says is not. */
export const BlockView = memo(function BlockView({ block, agent, agentId }: BlockViewProps) {
  const whole = (id: string) => <WholeText agentId={agentId} entryId={id} by={agent} />
  switch (block.kind) {
    case 'turn':
      return <TurnView entry={block.entry} agentId={agentId} />
    case 'text': {
      const { entry } = block
      const by = entry.from === 'assistant' ? agent : `${agent}, ${entry.from}`
      return <Timed at={entry.at}>{entry.truncated ? whole(entry.id) : <Words by={by} text={entry.text} />}</Timed>
    }
    case 'result': {
      const { entry } = block
      return (
        <div>
          <p className={styles['turn']}>
            <span>
              <Shape state={entry.status === 'failed' ? 'failed' : 'done'} word={entry.status} /> Turn ended,{' '}
              <Moment at={entry.at} />
              {entry.reason !== null && entry.reason !== entry.status && (
                <>
                  : <Quoted text={entry.reason} />
                </>
              )}
            </span>
          </p>
          {entry.truncated
            ? whole(entry.id)
            : entry.text !== '' && (
                <Timed at={entry.at}>
                  <Said by={agent} text={entry.text} />
                </Timed>
              )}
        </div>
      )
    }
    case 'note':
      return (
        <Timed at={block.entry.at}>
          <Shape state={block.entry.type === 'error' ? 'failed' : 'notification'} word={block.entry.type} />{' '}
          <code>{block.entry.code}</code> <Quoted text={block.entry.text} />
        </Timed>
      )
    case 'calls':
      return <Calls block={block} agent={agent} whole={whole} />
    case 'rest':
      return (
        <Timed at={block.entry.at}>
          <span className="soft">
            {block.entry.type === 'approval' ? 'a request for approval' : 'a result'} of an earlier call
          </span>
        </Timed>
      )
  }
})

/** Markdown, unless the text is so long that only its head is shown. */
function Words({ by, text }: { by: string; text: string }) {
  return headOf(text).rest > 0 ? <Said by={by} text={text} /> : <SaidMarkdown by={by} text={text} />
}

function TurnView({
  entry: { id, at, kind, dispatch_id, text, truncated },
  agentId,
}: {
  entry: Turn
  agentId: string
}) {
  const workflow = useWorkflowName(agentId, kind === 'dispatch' ? dispatch_id : null)
  const { title, by } = TURNS[kind]
  const author = workflow ?? by
  return (
    <div>
      <p className={styles['turn']}>
        <span>
          {title}
          {workflow !== null && (
            <>
              {' '}
              <Quoted text={workflow} />
            </>
          )}
          , <Moment at={at} />
        </span>
      </p>
      {(truncated || text !== '') && (
        <Timed at={at}>
          {truncated ? <WholeText agentId={agentId} entryId={id} by={author} /> : <Said by={author} text={text} />}
        </Timed>
      )}
    </div>
  )
}
