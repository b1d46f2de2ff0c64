import type { Command } from 'commander'
import type { Notification } from '../../../schemas/notify/notification.ts'
import { notifyOperations } from '../../../schemas/operations/notify.ts'
import { connect } from '../../http-client.ts'
import { withExamples, withJsonLines, withUrl, type UrlOption } from '../../options.ts'
import { paint, visible } from '../../output/print.ts'
import { watch } from '../../watch.ts'

interface WatchOptions extends UrlOption {
  json?: boolean
}

export function define(command: Command): void {
  withExamples(withUrl(withJsonLines(command)), 'agent notify watch', 'agent notify watch --json | jq .title').action(
    show,
  )
}

async function show(options: WatchOptions): Promise<void> {
  const path = connect(notifyOperations, options).streamNotifications()
  await watch(
    { group: notifyOperations, path, url: options.url, what: options.json ? undefined : 'notifications' },
    (text) => {
      const line = options.json ? text : humanLine(JSON.parse(text) as Notification)
      process.stdout.write(`${line}\n`)
    },
  )
}

function humanLine({ updated_at, priority, status, title, message, response }: Notification): string {
  const colours = paint()
  const text = response === null ? message : `answered ${response}`
  return `${colours.dim(updated_at.slice(11, 19))} ${colours.cyan(status)} ${priority}: ${visible(title)}: ${visible(text)}`
}
