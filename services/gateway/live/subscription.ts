import type { PolledTopic, RecordedTopic, SampledTopic } from '../../../platform/store/live-topic.ts'
import type { LiveFrame } from '../../../schemas/gateway/live.ts'

export interface Reader {
  /** Whose share of the sockets it takes. */
  readonly caller: string
  /** False if the socket is closed. */
  send(frame: LiveFrame): boolean
  /** True while earlier changes must not be sent to it. */
  readonly isBusy: boolean
  /** True while frames of the client are not answered: a position of now may be after theirs. */
  readonly isAsking: boolean
  /** Its topic cannot be continued. */
  lose(topic: string): void
  /** Called every 5 seconds. */
  check(): Promise<void>
}

/** One topic of one reader. */
export interface Subscription {
  reader: Reader
  /** As in change rows: `room/<id>`. */
  topic: string
  /** `<id>`, else empty. */
  of: string
  definition: RecordedTopic
  /** Number of the last change that was sent. */
  sent: number
  /** False while changes of the past are sent. */
  isLive: boolean
  /** Ids whose changes outside the database are not sent yet. */
  readonly unrecorded: Set<string>
}

export interface Start extends Pick<Subscription, 'sent' | 'unrecorded'> {
  /** Position. */
  text: string
}

export interface SampledSubscription {
  reader: Reader
  definition: SampledTopic
  /** Last figures that were sent. */
  sent: object | null
}

export interface PolledSubscription extends Pick<Subscription, 'reader' | 'topic' | 'of'> {
  definition: PolledTopic
  /** JSON of the last record that was sent. */
  sent: string | null
}

export function sendAll(frame: LiveFrame, subscriptions: readonly Subscription[]): void {
  for (const { reader } of subscriptions) reader.send(frame)
}
