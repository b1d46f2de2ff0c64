// How much one request, frame or slow reader may take.

const MIB = 1024 * 1024

/** Bytes of a request body, unless a route says otherwise. */
export const BODY_LIMIT = MIB
/** Bytes of one WebSocket frame. */
export const FRAME_LIMIT = 16 * MIB
/** Bytes that may wait for a slow reader of a stream before it is dropped. */
export const READER_BACKLOG_LIMIT = 8 * MIB
/** Characters of a path parameter; a longer one is an unknown address. */
export const PARAMETER_LIMIT = 4096
