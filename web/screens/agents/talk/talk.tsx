import { useMemo, useRef, useState } from 'react'
import type { AgentRecord } from '../../../../schemas/agent/record.ts'
import type { TranscriptEntry } from '../../../../schemas/agent/transcript.ts'
import { ReadFailure } from '../../../frame/topic-states.tsx'
import { useLive } from '../../../live/use-live.ts'
import { shellWord } from '../../../parts/commands/curl.ts'
import { useKeys } from '../../../parts/keys/use-keys.ts'
import { EmptyNotice, LoadingRows } from '../../../parts/states/notices.tsx'
import styles from './talk.module.css'
import { KEYS } from '../keys.ts'
import type { AgentRow } from '../rows.ts'
import { About } from './about.tsx'
import { Arrivals } from './arrivals.tsx'
import { BlockList, type BlockListControl, type ConversationView } from './block-list.tsx'
import { BlockView } from './block.tsx'
import { blocksOf, markAfter, marksOf, type Block } from './blocks.ts'
import { Composer } from './composer.tsx'
import type { Conversation } from './conversation.ts'
import { DecidableProvider } from './request.tsx'
import { Ruler } from './ruler.tsx'
import { useConversation, useNewer, usePending } from './use-conversation.ts'
import { useQueued } from './use-queued.ts'

const NO_ENTRIES: readonly TranscriptEntry[] = []

/** The conversation: turns, texts, calls and requests, with a ruler of marks, facts and a composer. */
export default function Talk({ agent, row }: { agent: AgentRecord; row: AgentRow }) {
  const { store } = useLive()
  const conversation = useConversation(agent.id)
  const { window, state } = conversation
  const entries = window?.entries ?? NO_ENTRIES
  const turn = useMemo(() => entries.findLast(({ type }) => type === 'turn')?.id ?? null, [entries])
  const queued = useQueued(agent, turn)
  return (
    <div className={styles['talk']}>
      {state.kind === 'failed' && (
        <ReadFailure error={state.error} onRetry={() => store.readAgain(`agent/${agent.id}`)} />
      )}
      <DecidableProvider value={usePending(entries)}>
        <View agent={agent} conversation={conversation} entries={entries} />
      </DecidableProvider>
      {entries.length === 0 && state.kind !== 'failed' && <Nothing name={agent.name} isLoading={window === null} />}
      <Arrivals entries={entries} />
      <About row={row} queued={queued} />
      <Composer agent={agent} queued={queued} turn={turn} />
    </div>
  )
}

function Nothing({ name, isLoading }: { name: string; isLoading: boolean }) {
  return (
    <div className={styles['none']}>
      {isLoading ? (
        <LoadingRows />
      ) : (
        <EmptyNotice
          what={`${name} has said and done nothing yet. Its turns appear here.`}
          command={`agent send ${shellWord(name)} "Hello"`}
        />
      )}
    </div>
  )
}

interface ViewProps {
  agent: AgentRecord
  conversation: Conversation<TranscriptEntry>
  entries: readonly TranscriptEntry[]
}

const AT_END: ConversationView = { first: 0, last: 0, follows: true }

/** The blocks, their ruler, and the way back to the end. */
function View({ agent: { id, name }, conversation, entries }: ViewProps) {
  const list = useRef<BlockListControl>(null)
  const [view, setView] = useState<ConversationView>(AT_END)
  const { window, hasNewer } = conversation
  const blocks = useMemo(() => blocksOf(entries), [entries])
  const marks = useMemo(() => marksOf(blocks), [blocks])
  const newer = useNewer(entries, view.follows)
  const share = (index: number) => (blocks.length === 0 ? 0 : index / blocks.length)
  const showEnd = async () => {
    if (!window?.isAtEnd) await conversation.readEnd()
    list.current?.showEnd()
  }
  const jump = (direction: 1 | -1) => {
    const next = markAfter(blocks, view.first, direction)
    if (next !== null) list.current?.show(next)
  }
  useKeys([
    { ...KEYS.earlierMark, run: () => jump(-1) },
    { ...KEYS.laterMark, run: () => jump(1) },
  ])
  return (
    <>
      <BlockList
        ref={list}
        label={`Conversation with ${name}, newest last`}
        blocks={blocks}
        hasOlder={window?.before != null}
        isAtEnd={window?.isAtEnd ?? true}
        onOlder={() => void conversation.readOlder()}
        onNewer={() => void conversation.readNewer()}
        onView={setView}
        block={(block: Block) => <BlockView block={block} agent={name} agentId={id} />}
      />
      <Ruler marks={marks} from={share(view.first)} to={share(view.follows ? blocks.length : view.last + 1)} />
      {(hasNewer || newer > 0) && (
        <button type="button" className="newer" onClick={() => void showEnd()}>
          {hasNewer ? 'Newer entries' : `${newer} newer`}. Show the end
        </button>
      )}
    </>
  )
}
