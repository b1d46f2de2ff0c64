/** Suffix of the class and name of the colour token. */
export type Tone = 'ok' | 'accent' | 'wait' | 'drift' | 'fail' | 'idle'

export type ShapeName =
  | 'circle'
  | 'half-circle'
  | 'diamond'
  | 'hollow-diamond'
  | 'bars'
  | 'triangle'
  | 'tick'
  | 'hollow-circle'
  | 'unequal'
  | 'crossed-square'
  | 'lock'
  | 'dashed-circle'
  | 'speech'
  | 'plus'
  | 'minus'
  | 'tilde'
  | 'round-arrow'
  | 'outward-arrows'
  | 'double-chevron'
  | 'three-dots'
  | 'two-in-pill'
  | 'one-in-ring'

export interface StateLook {
  shape: ShapeName
  tone: Tone
  /** Accessible name, or the word beside the shape. */
  word: string
}

const look = (shape: ShapeName, tone: Tone, word: string): StateLook => ({ shape, tone, word })

/** Shape, colour and word of each state, so that no state is read by colour alone. */
export const STATES = {
  ready: look('circle', 'ok', 'ready'),
  done: look('circle', 'ok', 'done'),
  approved: look('circle', 'ok', 'approved'),
  busy: look('half-circle', 'accent', 'busy'),
  decision: look('diamond', 'wait', 'waiting for you'),
  question: look('hollow-diamond', 'wait', 'question'),
  pending: look('bars', 'wait', 'pending'),
  suspended: look('bars', 'idle', 'suspended'),
  warning: look('triangle', 'wait', 'warning'),
  met: look('tick', 'ok', 'met'),
  empty: look('hollow-circle', 'idle', 'not started'),
  drifted: look('unequal', 'drift', 'drifted'),
  failed: look('crossed-square', 'fail', 'failed'),
  denied: look('crossed-square', 'fail', 'denied'),
  held: look('lock', 'wait', 'on hold'),
  unknown: look('dashed-circle', 'idle', 'unknown'),
  notification: look('speech', 'idle', 'notification'),
  create: look('plus', 'ok', 'create'),
  delete: look('minus', 'fail', 'delete'),
  update: look('tilde', 'accent', 'update'),
  restart: look('round-arrow', 'wait', 'restart'),
  widens: look('outward-arrows', 'wait', 'grants more rights'),
  skipped: look('double-chevron', 'idle', 'skipped'),
  public: look('three-dots', 'idle', 'public'),
  shared: look('two-in-pill', 'idle', 'shared'),
  private: look('one-in-ring', 'idle', 'private'),
} as const satisfies Record<string, StateLook>
export type StateName = keyof typeof STATES
