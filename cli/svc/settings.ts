import type { Command } from 'commander'
import { controllerOperations } from '../../schemas/operations/controller.ts'
import { listSettings, type ShownSetting } from '../../schemas/operations/gitops/settings.ts'
import { renderTable, type Column } from '../output/table.ts'
import { defineVerb } from '../verb.ts'

export function define(command: Command): void {
  defineVerb(command, controllerOperations, listSettings, {
    examples: ['svc settings', 'svc settings -o json'],
    done: (settings) => renderTable(settings, COLUMNS, 'No settings.').trimEnd(),
  })
}

const COLUMNS: Column<ShownSetting>[] = [
  { title: 'SERVICE', value: ({ service }) => service },
  { title: 'SETTING', value: ({ name, variables, origin }) => origin.variable ?? variables.at(-1) ?? name },
  { title: 'VALUE', value: ({ value, unit }) => `${textOf(value)}${unit === null ? '' : ` ${unit}`}`, kind: 'text' },
  { title: 'ORIGIN', value: originText, kind: 'path' },
]

function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  return value === null || value === '' ? 'none' : String(value)
}

function originText({ origin: { from, variable, file, line } }: ShownSetting): string {
  if (file !== null) return `${file}:${line}`
  return variable ?? from
}
