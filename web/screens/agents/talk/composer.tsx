import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { AgentRecord, MessageReply } from '../../../../schemas/agent/record.ts'
import { ActionNote } from '../../../frame/action-state.tsx'
import { useCaller } from '../../../frame/caller.tsx'
import { useAction } from '../../../frame/use-action.ts'
import { useLive, useLostAt } from '../../../live/use-live.ts'
import { useDraft } from '../../../parts/forms/fields.tsx'
import { useKeys } from '../../../parts/keys/use-keys.ts'
import styles from './talk.module.css'
import { composerHint, mayTalk } from './composer-hint.ts'
import { KEYS } from '../keys.ts'

/** Words for what became of the last action, until the agent begins another turn. */
const ANSWERS: Readonly<Record<MessageReply['status'] | 'interrupted', string>> = {
  sent: 'sent',
  queued: 'queued: the agent takes it after its present turn',
  interrupted: 'interrupt sent',
}

interface Answer {
  is: keyof typeof ANSWERS
  /** Turn of its time. */
  turn: string | null
}

interface ComposerProps {
  agent: AgentRecord
  /** Prompts that the agent has not taken yet; null while unknown. */
  queued: number | null
  /** Id of the last turn; null without one. */
  turn: string | null
}

/** Sends prompts and interrupts. `turn`: id of the last turn. */
function useSending({ id }: AgentRecord, turn: string | null) {
  const { orchestrator } = useLive().clients
  const queries = useQueryClient()
  const [answer, setAnswer] = useState<Answer | null>(null)
  const { state, run } = useAction(id)
  const params = { id }
  const send = (content: string) =>
    run(async () => {
      const { status } = await orchestrator.sendMessage({ params, body: { content } })
      setAnswer({ is: status, turn })
      void queries.invalidateQueries({ queryKey: ['queue', id] })
    })
  const interrupt = () =>
    run(async () => {
      await orchestrator.interruptAgent({ params })
      setAnswer({ is: 'interrupted', turn })
    })
  return { state, send, interrupt, answer: answer?.turn === turn ? answer.is : null }
}

/** Sends a prompt and says when the agent takes it. The text survives a reload. */
export function Composer({ agent, queued, turn }: ComposerProps) {
  const caller = useCaller()
  const { id, name, activity } = agent
  const [text, setText] = useDraft(`agent/${id}`)
  const latest = useRef(text)
  latest.current = text
  const { state, answer, send, interrupt } = useSending(agent, turn)
  const isLost = useLostAt() !== null
  const isSending = state.kind === 'sending'
  const hint = composerHint(agent, caller, { isLost, queued })
  const canSend = hint.canSend && text.trim() !== '' && !isSending
  const canInterrupt = !isLost && mayTalk(caller) && activity === 'busy' && !isSending
  const submit = async () => {
    // Text that was typed in the meantime is another prompt.
    if (canSend && (await send(text)) && latest.current === text) setText('')
  }
  useKeys([{ ...KEYS.interrupt, run: () => void (canInterrupt && interrupt()) }])
  return (
    <form
      className={styles['composer']}
      onSubmit={(event) => {
        event.preventDefault()
        void submit()
      }}
    >
      <Prompt
        label={`Message to ${name}`}
        hint={hint.text}
        text={text}
        onChange={setText}
        onSubmit={() => void submit()}
      />
      <button type="submit" className="btn" disabled={!canSend}>
        Send
      </button>
      <button
        type="button"
        className={`btn stop ${styles['interrupt']}`}
        disabled={!canInterrupt}
        onClick={() => void interrupt()}
      >
        Interrupt <kbd aria-hidden="true">{KEYS.interrupt.keys}</kbd>
      </button>
      <div className={styles['below']}>
        <span className="soft fine">{text === '' ? '' : hint.text}</span>
        {state.kind === 'sent' ? (
          <span className="soft fine" role="status">
            {answer === null ? '' : ANSWERS[answer]}
          </span>
        ) : (
          <ActionNote state={state} />
        )}
      </div>
    </form>
  )
}

interface PromptProps {
  label: string
  hint: string
  text: string
  onChange(text: string): void
  onSubmit(): void
}

function Prompt({ label, hint, text, onChange, onSubmit }: PromptProps) {
  return (
    <textarea
      rows={1}
      dir="auto"
      aria-label={label}
      placeholder={hint}
      value={text}
      onChange={(event) => onChange(event.target.value)}
      onKeyDown={(event) => {
        // The first Esc leaves the field, the next one the screen.
        if (event.key === 'Escape') {
          event.preventDefault()
          event.currentTarget.blur()
        }
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) onSubmit()
      }}
    />
  )
}
