// Redacts an agent's frames before any other code sees them, and replaces what cannot be stored.
import type { Pieces } from '../../../platform/async/time-slices.ts'
import type { Masker, StreamMasker } from '../../../platform/secrets/masking/masker.ts'
import { RecentMap } from '../../../platform/core/recent.ts'
import { replaceUnstorable } from '../../../schemas/validation/text.ts'
import type { Frame } from './frame.ts'

const REMEMBERED_REQUESTS = 1000

/** Unredacted: only for the policy and the answer to the agent. */
export interface OriginalRequest {
  tool: unknown
  input: unknown
}

const PIECES = ['text', 'thinking', 'partial_json'] as const

export class FrameMasking {
  /** By redacted request until claimed, then by request id. */
  readonly #arrived = new WeakMap<object, OriginalRequest>()
  readonly #asked = new RecentMap<OriginalRequest>(REMEMBERED_REQUESTS)
  #masker: Masker | null = null
  #stream: StreamMasker | null = null
  /** From the first suspect frame on: held-back text may be of an earlier one. */
  #checksText = false
  #replacedCount = 0
  /** The frame whose text is partly held back, and the field of that text. */
  #held: { frame: Frame; member: string } | null = null

  /** Returns the original request, or null if nothing was redacted or replaced. */
  claim(frame: Frame): OriginalRequest | null {
    const requestId = String(frame.request_id)
    const original = this.#arrived.get(frame.request) ?? null
    // A repeated id is a new request; the earlier original must not answer it.
    if (original) this.#asked.set(requestId, original)
    else this.#asked.delete(requestId)
    return original
  }

  /**
   * Returns held-back text before the frame. Call for one frame at a time. `isSuspect`: texts may contain NUL or lone
   * surrogates, which become U+FFFD.
   */
  *mask(frame: Frame, masker: Masker, isSuspect = false): Pieces<Frame[]> {
    this.#checksText ||= isSuspect
    if (masker.idle && !isSuspect) return [frame]
    if (masker.idle) return [yield* this.#maskFrame(frame, masker)]
    const piece = pieceOf(frame)
    if (!piece) return [...(yield* this.#release()), yield* this.#maskFrame(frame, masker)]
    const released = this.#held && this.#held.member !== piece.member ? yield* this.#release() : []
    if (this.#masker !== masker) [this.#masker, this.#stream] = [masker, masker.stream()]
    const text = this.#stream!.push(piece.text)
    this.#held = { frame, member: piece.member }
    return [...released, yield* this.#maskFrame(withPiece(frame, piece.member, text), masker)]
  }

  original(requestId: string): OriginalRequest | null {
    return this.#asked.get(requestId) ?? null
  }

  forget(): void {
    this.#asked.clear()
    this.#stream = this.#masker = this.#held = null
  }

  *#maskFrame(frame: Frame, masker: Masker): Pieces<Frame> {
    const shown = this.#replaced(yield* masker.masking(frame))
    this.#remember(shown, frame)
    const listed: unknown = frame.response?.pending_permission_requests
    if (Array.isArray(listed))
      listed.forEach((request, index) => this.#remember(shown.response.pending_permission_requests[index], request))
    return shown
  }

  #replaced(frame: Frame): Frame {
    if (!this.#checksText) return frame
    const { value, replaced } = replaceUnstorable(frame)
    this.#replacedCount += replaced
    return value
  }

  /** Number of replaced characters since the last call. */
  takeReplaced(): number {
    const count = this.#replacedCount
    this.#replacedCount = 0
    return count
  }

  #remember(shown: Frame, frame: Frame): void {
    if (frame?.request?.subtype !== 'can_use_tool' || shown.request === frame.request) return
    this.#arrived.set(shown.request, { tool: frame.request.tool_name, input: frame.request.input })
  }

  *#release(): Pieces<Frame[]> {
    const held = this.#held
    const rest = this.#stream?.end() ?? ''
    this.#held = null
    return held && rest !== '' ? [yield* this.#maskFrame(withPiece(held.frame, held.member, rest), this.#masker!)] : []
  }
}

function pieceOf(frame: Frame): { member: string; text: string } | null {
  if (frame.type !== 'stream_event') return null
  const member = PIECES.find((each) => typeof frame.event?.delta?.[each] === 'string')
  return member ? { member, text: frame.event.delta[member] as string } : null
}

function withPiece(frame: Frame, member: string, text: string): Frame {
  return { ...frame, event: { ...frame.event, delta: { ...frame.event.delta, [member]: text } } }
}
