// Reads a page from outside its own world, where its content policy does not apply.
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import axe from 'axe-core'
import type { Page } from 'playwright-core'
import { root } from '../../support/root.ts'

const GRAVE = new Set(['serious', 'critical'])

interface Finding {
  id: string
  impact: string | null
  nodes: { target: string[]; html: string; failureSummary?: string }[]
}

/** Evaluates an expression with the document of the page. `sources`: scripts that it needs. */
export async function inspect<T>(page: Page, expression: string, sources: readonly string[] = []): Promise<T> {
  const session = await page.context().newCDPSession(page)
  try {
    const { frameTree } = await session.send('Page.getFrameTree')
    const world = { frameId: frameTree.frame.id, worldName: 'inspection' }
    const { executionContextId: contextId } = await session.send('Page.createIsolatedWorld', world)
    for (const source of sources) await session.send('Runtime.evaluate', { contextId, expression: source })
    const options = { contextId, expression, awaitPromise: true, returnByValue: true }
    const { result, exceptionDetails } = await session.send('Runtime.evaluate', options)
    if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text)
    return result.value as T
  } finally {
    await session.detach()
  }
}

/** Findings of axe with the impact serious or critical: rule, element and reason. */
export async function graveFindings(page: Page): Promise<string[]> {
  const run = `axe.run(document, { resultTypes: ['violations'] }).then(({ violations }) => violations)`
  const violations = await inspect<Finding[]>(page, run, [axe.source])
  return violations
    .filter(({ impact }) => GRAVE.has(impact ?? ''))
    .flatMap(({ id, nodes }) =>
      nodes.slice(0, 3).map(({ target, html, failureSummary = '' }) => {
        const reason = failureSummary.split('\n')[1]?.trim() ?? ''
        return `axe ${id}: ${target.join(' ')} ${html.slice(0, 120)} ${reason.slice(0, 160)}`
      }),
    )
}

/** Elements that scroll sideways, and text outside the window. */
export function overflows(page: Page): Promise<string[]> {
  return inspect<string[]>(
    page,
    `[...document.querySelectorAll('*')].flatMap((element) => {
      const name = element.tagName.toLowerCase() + '.' + (element.getAttribute('class') ?? '')
      const style = getComputedStyle(element)
      const isRoot = element === document.documentElement
      const scrolls = isRoot || /auto|scroll/.test(style.overflowX)
      if (scrolls && element.scrollWidth > element.clientWidth + 1)
        return ['scrolls sideways: ' + name + ' ' + element.scrollWidth + ' > ' + element.clientWidth]
      const { left, right, width } = element.getBoundingClientRect()
      const isText = [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim() !== '')
      const isShown = width > 1 && element.checkVisibility({ visibilityProperty: true }) && !element.closest('.cut, .hide')
      return isText && isShown && (right > innerWidth + 1 || left < -1)
        ? ['outside the window: ' + name + ' "' + element.textContent.slice(0, 40) + '" ' + Math.round(left) + '–' + Math.round(right)]
        : []
    }).slice(0, 6)`,
  )
}

/** Visible texts that are cut at their end. A text that has no room is cut in its middle, as `.middle` does. */
export function cutEnds(page: Page): Promise<string[]> {
  return inspect<string[]>(
    page,
    `[...document.querySelectorAll('*')].flatMap((element) => {
      const style = getComputedStyle(element)
      const isClamped = style.webkitLineClamp !== 'none' && element.scrollHeight > element.clientHeight + 1
      const isCut = style.textOverflow === 'ellipsis' && element.scrollWidth > element.clientWidth + 1
      if (!(isClamped || isCut) || element.closest('.hide') || !element.checkVisibility({ visibilityProperty: true })) return []
      const end = element.parentElement.matches('.middle') ? element.nextElementSibling : null
      const clip = element.closest('.cut')?.getBoundingClientRect()
      const isEndSeen = end?.textContent.trim() && (!clip || end.getBoundingClientRect().right <= clip.right + 1)
      return isEndSeen ? [] : ['cut at its end: "' + element.textContent.slice(0, 60) + '"']
    }).slice(0, 6)`,
  )
}

const folder = join(root, 'test', 'browser', 'screens')

/** Writes a screenshot to test/browser/screens, which git ignores. */
export async function photograph(page: Page, name: string): Promise<void> {
  mkdirSync(folder, { recursive: true })
  await page.screenshot({ path: join(folder, `${name}.png`), animations: 'disabled' })
}
