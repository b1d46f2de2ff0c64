// Runs checks, asks the user by notification, and acts on the answer.
import { background, type Background } from '../../platform/async/background.ts'
import { SerialQueue } from '../../platform/async/serial-queue.ts'
import { timestamp } from '../../platform/core/clock.ts'
import { gauge } from '../../platform/metrics/metrics.ts'
import { Problem } from '../../platform/core/problem.ts'
import { defineService, type Opened } from '../../platform/service/define.ts'
import { seconds } from '../../platform/service/settings.ts'
import type { World } from '../../platform/service/world.ts'
import type { ChangeSource } from '../../platform/store/change-triggers.ts'
import type { Listed, Part } from '../../platform/store/page.ts'
import { table } from '../../platform/store/table.ts'
import type { AnswerInput, AnswerReply, TriggerReply } from '../../schemas/ask/question.ts'
import { Question } from '../../schemas/ask/question.ts'
import { askOperations } from '../../schemas/operations/ask.ts'
import { notifyOperations } from '../../schemas/operations/notify.ts'
import { wrapOperations } from '../../schemas/operations/wrap.ts'
import { muxSessions } from './checks/mux-sessions.ts'
import type { Check, Finding } from './checks/check.ts'
import type { Ask } from './face.ts'
import { migrations } from './migrations.ts'

const settings = {
  /** How long a question stays open and its check does not ask again. */
  cooldownSecs: seconds({ default: 1800, least: 1 }),
}

const EXPIRE_EVERY_MS = 60_000
const KEEP_MS = 7 * 24 * 3_600_000
const YES = new Set(['yes', 'y', 'true', 'ok', 'start', '1'])

export const ask = defineService({
  operations: askOperations,
  settings,
  migrations,
  open: (world: World<typeof settings>): Ask & Opened => new AskService(world),
})

class AskService implements Ask, Opened {
  readonly #world: World<typeof settings>
  readonly #rows
  readonly #notify
  readonly #checks: readonly Check[]
  /** Not persisted: checks ask again after a restart. */
  readonly #mayAskAt = new Map<string, number>()
  /** Prevents concurrent triggers from asking twice. */
  readonly #turns = new SerialQueue()
  #expiring: Background | null = null

  constructor(world: World<typeof settings>) {
    this.#world = world
    this.#rows = table(world, 'ask_questions', Question, { what: 'question', key: ['question_id'] })
    this.#notify = world.call(notifyOperations)
    const wrap = world.call(wrapOperations)
    const { userMux, config } = world
    this.#checks = [muxSessions({ userMux, home: config.home, launch: (body) => wrap.launch({ body }) })]
  }

  readonly inboxSources: readonly ChangeSource[] = [
    { table: 'ask_questions', topic: 'inbox', kind: 'question', id: ['question_id'] },
  ]

  readonly metrics = [
    gauge('svc_ask_questions_pending', 'Questions pending an answer', () => this.#rows.count({ status: 'Pending' })),
  ]

  async start(): Promise<void> {
    const { clock, log } = this.#world
    const work = async () => {
      await this.#expire()
      await this.#forget()
    }
    this.#expiring = background({ clock, log, name: 'question expiry', everyMs: EXPIRE_EVERY_MS, work })
  }

  async stop(): Promise<void> {
    await this.#expiring?.stop()
  }

  async health(): Promise<Record<string, unknown>> {
    return { notification_service_url: this.#world.addressOf(notifyOperations) }
  }

  trigger(): Promise<TriggerReply> {
    return this.#turns.run(async () => {
      await this.#expire()
      const reply: TriggerReply = { checks_run: [], notifications_sent: [], results: {} }
      for (const check of this.#checks) {
        const { result, question } = await this.#run(check)
        reply.checks_run.push(check.type)
        reply.results[check.type] = result
        if (question !== null && this.#world.clock.now() >= (this.#mayAskAt.get(check.type) ?? 0))
          reply.notifications_sent.push(await this.#ask(check, question))
      }
      return reply
    })
  }

  answer({ question_id, answer }: AnswerInput): Promise<AnswerReply> {
    return this.#turns.run(async () => {
      await this.#expire()
      const question = await this.#rows.get(question_id)
      if (question.status !== 'Pending') throw over(question)
      await this.#respond(question, answer)
      await this.#rows.update(question_id, { status: 'Answered', answer })
      return { question_id, ...(await this.#act(question, answer)) }
    })
  }

  async list<P extends Part>(filter: { status?: Question['status'] }, part: P): Promise<Listed<Question, P>> {
    await this.#expire()
    return this.#rows.listed({ where: filter }, part)
  }

  async get(id: string): Promise<Question> {
    await this.#expire()
    return this.#rows.get(id)
  }

  async #run(check: Check): Promise<Finding> {
    try {
      return await check.run()
    } catch (error) {
      throw failed(error, `check ${check.type} failed`)
    }
  }

  /** Notifies first: an unsent question must not start the cooldown. */
  async #ask(check: Check, { title, message }: { title: string; message: string }): Promise<string> {
    const { clock, settings } = this.#world
    const question_id = this.#world.ids()
    const until = clock.now() + settings.cooldownSecs * 1000
    const expires_at = new Date(until).toISOString()
    const asked = { question_id, check_type: check.type, question: message, asked_at: timestamp(clock), expires_at }
    const { id } = await this.#notify
      .createNotification({
        body: {
          source: { AskService: { request_id: question_id } },
          lifetime: { Ephemeral: { expires_at } },
          priority: 'Normal',
          title,
          message,
          requires_response: true,
        },
      })
      .catch((error: unknown) => {
        throw failed(error, 'failed to notify the user')
      })
    await this.#rows.insert({ ...asked, notification_id: id, status: 'Pending' })
    this.#mayAskAt.set(check.type, until)
    return id
  }

  /** A deleted notification does not prevent the answer. */
  async #respond(question: Question, response: string): Promise<void> {
    if (question.notification_id === null) return
    try {
      await this.#notify.updateNotification({ params: { id: question.notification_id }, body: { response } })
    } catch (error) {
      if (error instanceof Problem && error.status === 404) return
      if (error instanceof Problem && error.status === 409) throw over({ ...question, status: 'Expired' })
      throw failed(error, 'the answer was not recorded: failed to update the notification')
    }
  }

  /** The answer stays recorded even if the action fails. */
  async #act(question: Question, answer: string): Promise<Pick<AnswerReply, 'success' | 'message'>> {
    const check = this.#checks.find(({ type }) => type === question.check_type)
    if (!check || !YES.has(answer.trim().toLowerCase()))
      return { success: true, message: 'answer recorded; no action needed' }
    try {
      return { success: true, message: await check.act() }
    } catch (error) {
      this.#world.log.warn(
        { question: question.question_id, error: (error as Error).message },
        'failed to act on an answer',
      )
      return { success: false, message: `answer recorded, but the action failed: ${(error as Error).message}` }
    }
  }

  async #expire(): Promise<void> {
    const now = timestamp(this.#world.clock)
    await this.#rows.update((query) => void query.where('status', 'Pending').where('expires_at', '<=', now), {
      status: 'Expired',
    })
  }

  async #forget(): Promise<void> {
    const before = new Date(this.#world.clock.now() - KEEP_MS).toISOString()
    await this.#rows.delete((query) => void query.whereNot('status', 'Pending').where('expires_at', '<', before))
  }
}

const over = ({ question_id, status, expires_at, answer }: Question): Problem =>
  new Problem(
    410,
    status === 'Expired'
      ? `question ${question_id} expired at ${expires_at}: POST /trigger asks again if it still applies`
      : `question ${question_id} is already answered${answer === null ? '' : `, with "${answer.slice(0, 80)}"`}`,
  )

/** The API documents 500 for these failures. */
function failed(error: unknown, what: string): Problem {
  const { message } = error as Error
  return new Problem(500, `${what}: ${message}`, {
    cause: error,
    ...(error instanceof Problem ? { code: error.code } : {}),
  })
}
