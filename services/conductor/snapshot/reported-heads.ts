import type { CommentAnswer } from './answers.ts'

const MARKER = /<!-- svc:conductor checks-failed ([0-9a-f]{40}(?:[0-9a-f]{24})?) -->/g

/** Heads that own comments mark as reported. A marker in a comment of another account could suppress a report. */
export function reportedHeads(comments: readonly CommentAnswer[]): string[] {
  const own = comments.filter(({ viewerDidAuthor }) => viewerDidAuthor)
  return [...new Set(own.flatMap(({ body }) => [...body.matchAll(MARKER)].map(([, head]) => head!)))]
}
