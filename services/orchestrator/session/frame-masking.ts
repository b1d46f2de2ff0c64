// Where the frames of one agent are masked: after this, everything that is stored, logged or sent of them is.
import type { Pieces } from '../../../platform/async/time-slices.ts'
import type { Masker, StreamMasker } from '../../../platform/secrets/masking/masker.ts'
import { RecentMap } from '../../../platform/core/recent.ts'
import type { Frame } from './frame.ts'

const REMEMBERED_REQUESTS = 1000

/** What a tool is asked for by; it goes to the policy and back to the agent, and nowhere else. */
export interface OriginalRequest {
  tool: unknown
  input: unknown
}

/** Members of a delta that hold a piece of a text. */
const PIECES = ['text', 'thinking', 'partial_json'] as const

export class FrameMasking {
  /** By the request as it is shown, until it is taken; from then on by its id. */
  readonly #arrived = new WeakMap<object, OriginalRequest>()
  readonly #asked = new RecentMap<OriginalRequest>(REMEMBERED_REQUESTS)
  #masker: Masker | null = null
  #stream: StreamMasker | null = null
  /** The frame whose text is held back in part, and where in it that text stands. */
  #held: { frame: Frame; member: string } | null = null

  /** A request is taken: what it was as the agent sent it; null when that is how it is shown. */
  claim(frame: Frame): OriginalRequest | null {
    const requestId = String(frame.request_id)
    const original = this.#arrived.get(frame.request) ?? null
    // An id that comes again is another request: nothing of an earlier one is left.
    if (original) this.#asked.set(requestId, original)
    else this.#asked.delete(requestId)
    return original
  }

  /**
   * The frames to go on with in place of one that came: itself, and before it what was held back of an earlier one.
   * In pieces; one frame after the other.
   */
  *mask(frame: Frame, masker: Masker): Pieces<Frame[]> {
    if (masker.idle) return [frame]
    const piece = pieceOf(frame)
    if (!piece) return [...(yield* this.#release()), yield* this.#maskFrame(frame, masker)]
    const released = this.#held && this.#held.member !== piece.member ? yield* this.#release() : []
    if (this.#masker !== masker) [this.#masker, this.#stream] = [masker, masker.stream()]
    const text = this.#stream!.push(piece.text)
    this.#held = { frame, member: piece.member }
    return [...released, yield* this.#maskFrame(withPiece(frame, piece.member, text), masker)]
  }

  /** Of the request that was taken last by this id. */
  original(requestId: string): OriginalRequest | null {
    return this.#asked.get(requestId) ?? null
  }

  /** A new process: nobody asks for what the former one asked for. */
  forget(): void {
    this.#asked.clear()
    this.#stream = this.#masker = this.#held = null
  }

  *#maskFrame(frame: Frame, masker: Masker): Pieces<Frame> {
    const shown = yield* masker.masking(frame)
    this.#remember(shown, frame)
    const listed: unknown = frame.response?.pending_permission_requests
    if (Array.isArray(listed))
      listed.forEach((request, index) => this.#remember(shown.response.pending_permission_requests[index], request))
    return shown
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
