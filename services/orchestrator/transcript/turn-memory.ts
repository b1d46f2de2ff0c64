import { RecentMap } from '../../../platform/core/recent.ts'
import type { Frame } from '../session/frame.ts'
import type { FrameDraft } from './drafts.ts'

/** Calls of a turn that are remembered. */
const MOST_CALLS = 1000
/** Characters of a text that a result is compared with. */
const LONGEST_COMPARED = 64 * 1024

/** What an agent has reported in the current turn. */
export class TurnMemory {
  #id: string | null = null
  /** Call to the request for it; null before the request. */
  readonly #calls = new RecentMap<string | null>(MOST_CALLS)
  readonly #callByRequest = new RecentMap<string>(MOST_CALLS)
  readonly #refusals = new Set<string>()
  #said: string | null = null

  /** Forgets an earlier turn. */
  of(id: string | null): this {
    if (id === this.#id) return this
    this.#id = id
    this.#calls.clear()
    this.#callByRequest.clear()
    this.#refusals.clear()
    this.#said = null
    return this
  }

  isNewRefusal(reason: string): boolean {
    if (this.#refusals.has(reason)) return false
    this.#refusals.add(reason)
    return true
  }

  /** Id of the call that a request is for, or null. */
  callOf(requestId: string): string | null {
    return this.#callByRequest.get(requestId) ?? null
  }

  /** Drops a call that has been reported before, and the text of a result that repeats the last one. */
  news(frame: Frame, drafts: FrameDraft[]): FrameDraft[] {
    const news = frame.type === 'control_request' ? drafts.filter((draft) => this.#isNewCall(frame, draft)) : drafts
    return news.map((draft) => (draft.type === 'result' ? this.#compared(draft) : this.#noted(frame, draft)))
  }

  /** Some programs report a call before they ask for it, some do not. */
  #isNewCall(frame: Frame, draft: FrameDraft): boolean {
    const callId = draft.fields['call_id'] as string | null
    const requestId = String(frame.request_id)
    if (callId === null) return true
    this.#callByRequest.set(requestId, callId)
    const key = keyOf(draft)
    const known = this.#calls.get(key)
    this.#calls.set(key, requestId)
    return known === undefined || (known !== null && known !== requestId)
  }

  #noted(frame: Frame, draft: FrameDraft): FrameDraft {
    if (draft.type === 'tool_call' && frame.type !== 'control_request' && draft.fields['call_id'] !== null)
      this.#calls.set(keyOf(draft), null)
    if (draft.fields['from'] === 'assistant') this.#said = draft.text.length <= LONGEST_COMPARED ? draft.text : null
    return draft
  }

  #compared(draft: FrameDraft): FrameDraft {
    const repeats_text = draft.text !== '' && draft.text === this.#said
    return { ...draft, fields: { ...draft.fields, repeats_text }, text: repeats_text ? '' : draft.text }
  }
}

/** The id alone may also be that of another call. */
const keyOf = ({ fields, digest }: FrameDraft): string =>
  JSON.stringify([fields['call_id'], fields['tool_name'], digest])
