--
-- PostgreSQL database dump
--

\restrict WJPxomtChsPaYHoL1lwrDuNYkWO0PlVKIGG9R82We2tZIFA2paQqb9S6uYZ0aSp

-- Dumped from database version 15.18 (Debian 15.18-0+deb12u1)
-- Dumped by pg_dump version 15.18 (Debian 15.18-0+deb12u1)

SET statement_timeout = 0;
SET lock_timeout = 0;
SET idle_in_transaction_session_timeout = 0;
SET client_encoding = 'UTF8';
SET standard_conforming_strings = on;
SELECT pg_catalog.set_config('search_path', '', false);
SET check_function_bodies = false;
SET xmloption = content;
SET client_min_messages = warning;
SET row_security = off;

SET default_tablespace = '';

SET default_table_access_method = heap;

--
-- Name: ask_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ask_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: ask_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.ask_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: ask_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.ask_audit_seq_seq OWNED BY public.ask_audit.seq;


--
-- Name: ask_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ask_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: ask_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.ask_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: ask_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.ask_migrations_id_seq OWNED BY public.ask_migrations.id;


--
-- Name: ask_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ask_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: ask_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.ask_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: ask_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.ask_migrations_lock_index_seq OWNED BY public.ask_migrations_lock.index;


--
-- Name: ask_questions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.ask_questions (
    seq integer NOT NULL,
    question_id character varying(36) NOT NULL,
    notification_id character varying(36),
    check_type character varying(64) NOT NULL,
    question text NOT NULL,
    status character varying(16) NOT NULL,
    asked_at character varying(30) NOT NULL,
    expires_at character varying(30) NOT NULL,
    answer text
);


--
-- Name: ask_questions_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.ask_questions_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: ask_questions_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.ask_questions_seq_seq OWNED BY public.ask_questions.seq;


--
-- Name: communicate_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: communicate_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_audit_seq_seq OWNED BY public.communicate_audit.seq;


--
-- Name: communicate_leftovers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_leftovers (
    seq integer NOT NULL,
    room_id character varying(36) NOT NULL
);


--
-- Name: communicate_leftovers_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_leftovers_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_leftovers_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_leftovers_seq_seq OWNED BY public.communicate_leftovers.seq;


--
-- Name: communicate_locks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_locks (
    seq integer NOT NULL,
    room_id character varying(36) NOT NULL,
    holder character varying(128) NOT NULL,
    holder_name text NOT NULL,
    purpose text NOT NULL,
    message_id character varying(36) NOT NULL,
    since character varying(30) NOT NULL,
    expires_at character varying(30) NOT NULL
);


--
-- Name: communicate_locks_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_locks_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_locks_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_locks_seq_seq OWNED BY public.communicate_locks.seq;


--
-- Name: communicate_messages; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_messages (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    room_id character varying(36) NOT NULL,
    number integer NOT NULL,
    sender_id character varying(128) NOT NULL,
    sender_name text NOT NULL,
    sender_kind character varying(16) NOT NULL,
    content text NOT NULL,
    metadata text NOT NULL,
    reply_to character varying(36),
    status character varying(16) NOT NULL,
    created_at character varying(30) NOT NULL,
    taken_back integer DEFAULT 0 NOT NULL
);


--
-- Name: communicate_messages_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_messages_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_messages_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_messages_seq_seq OWNED BY public.communicate_messages.seq;


--
-- Name: communicate_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: communicate_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_migrations_id_seq OWNED BY public.communicate_migrations.id;


--
-- Name: communicate_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: communicate_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_migrations_lock_index_seq OWNED BY public.communicate_migrations_lock.index;


--
-- Name: communicate_participants; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_participants (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    room_id character varying(36) NOT NULL,
    identifier character varying(128) NOT NULL,
    kind character varying(16) NOT NULL,
    display_name text NOT NULL,
    role character varying(16) NOT NULL,
    joined_at character varying(30) NOT NULL
);


--
-- Name: communicate_participants_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_participants_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_participants_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_participants_seq_seq OWNED BY public.communicate_participants.seq;


--
-- Name: communicate_rooms; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.communicate_rooms (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    name character varying(128) NOT NULL,
    topic text,
    description text,
    room_type character varying(16) NOT NULL,
    created_by character varying(128) NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL,
    version integer DEFAULT 0 NOT NULL,
    posted integer DEFAULT 0 NOT NULL,
    deleted integer DEFAULT 0 NOT NULL
);


--
-- Name: communicate_rooms_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.communicate_rooms_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: communicate_rooms_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.communicate_rooms_seq_seq OWNED BY public.communicate_rooms.seq;


--
-- Name: controller_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: controller_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.controller_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: controller_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.controller_audit_seq_seq OWNED BY public.controller_audit.seq;


--
-- Name: controller_cursors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_cursors (
    kind character varying(255) NOT NULL,
    cursor bigint NOT NULL
);


--
-- Name: controller_drift; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_drift (
    id character varying(255) NOT NULL,
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    path text NOT NULL,
    desired text NOT NULL,
    live text NOT NULL,
    last_applied text NOT NULL,
    actor character varying(255),
    request_id character varying(255),
    endpoint character varying(1024),
    first_seen character varying(255) NOT NULL,
    last_seen character varying(255) NOT NULL,
    resolution character varying(255),
    writers text DEFAULT '[]'::text NOT NULL,
    applied_digest character varying(255),
    live_digest character varying(255)
);


--
-- Name: controller_intents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_intents (
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    action character varying(255) NOT NULL,
    paths text NOT NULL,
    entry text
);


--
-- Name: controller_inventory; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_inventory (
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    source character varying(4096) NOT NULL,
    file character varying(4096) NOT NULL,
    line integer NOT NULL,
    "column" integer NOT NULL,
    live_id character varying(255),
    revision character varying(255),
    sync text NOT NULL,
    depends_on text NOT NULL,
    desired text NOT NULL,
    applied text,
    conditions text NOT NULL,
    deferred_since character varying(255),
    owed character varying(255),
    contested text,
    suspended text
);


--
-- Name: controller_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: controller_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.controller_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: controller_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.controller_migrations_id_seq OWNED BY public.controller_migrations.id;


--
-- Name: controller_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: controller_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.controller_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: controller_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.controller_migrations_lock_index_seq OWNED BY public.controller_migrations_lock.index;


--
-- Name: controller_runs; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_runs (
    id character varying(255) NOT NULL,
    source character varying(4096) NOT NULL,
    revision character varying(255),
    status character varying(255) NOT NULL,
    actor character varying(255) NOT NULL,
    started_at character varying(255) NOT NULL,
    ended_at character varying(255),
    summary text NOT NULL,
    error text,
    diagnostics text DEFAULT '[]'::text NOT NULL,
    has_steps boolean DEFAULT false NOT NULL
);


--
-- Name: controller_sent; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_sent (
    seq integer NOT NULL,
    source character varying(4096) NOT NULL,
    input text NOT NULL
);


--
-- Name: controller_sent_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.controller_sent_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: controller_sent_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.controller_sent_seq_seq OWNED BY public.controller_sent.seq;


--
-- Name: controller_sources; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_sources (
    name character varying(4096) NOT NULL,
    location character varying(4096) NOT NULL,
    revision character varying(255),
    suspended boolean NOT NULL,
    observed_at character varying(255),
    attempted character varying(255),
    applied character varying(255),
    hold text
);


--
-- Name: controller_steps; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.controller_steps (
    run_id character varying(255) NOT NULL,
    seq integer NOT NULL,
    kind character varying(255) NOT NULL,
    name character varying(255) NOT NULL,
    action character varying(255) NOT NULL,
    status character varying(255) NOT NULL,
    live_id character varying(255),
    error text,
    started_at character varying(255),
    ended_at character varying(255)
);


--
-- Name: docstore_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: docstore_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.docstore_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: docstore_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.docstore_audit_seq_seq OWNED BY public.docstore_audit.seq;


--
-- Name: docstore_document_words; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_document_words (
    rowid bigint NOT NULL,
    words tsvector NOT NULL
);


--
-- Name: docstore_documents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_documents (
    seq integer NOT NULL,
    id character varying(255) NOT NULL,
    title text NOT NULL,
    content text NOT NULL,
    tags text NOT NULL,
    created_by text NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL,
    digest character varying(64) NOT NULL,
    revision integer NOT NULL,
    stamp text NOT NULL
);


--
-- Name: docstore_documents_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.docstore_documents_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: docstore_documents_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.docstore_documents_seq_seq OWNED BY public.docstore_documents.seq;


--
-- Name: docstore_memories; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_memories (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    content text NOT NULL,
    tags text NOT NULL,
    shared_with text NOT NULL,
    "references" text NOT NULL,
    type character varying(16) NOT NULL,
    created_by character varying(200) NOT NULL,
    visibility character varying(16) NOT NULL,
    supersedes character varying(36),
    superseded_by character varying(36),
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL
);


--
-- Name: docstore_memories_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.docstore_memories_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: docstore_memories_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.docstore_memories_seq_seq OWNED BY public.docstore_memories.seq;


--
-- Name: docstore_memory_tags; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_memory_tags (
    tag character varying(200) NOT NULL,
    memory integer NOT NULL
);


--
-- Name: docstore_memory_vectors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_memory_vectors (
    memory integer NOT NULL,
    model character varying(200) NOT NULL,
    vector text NOT NULL
);


--
-- Name: docstore_memory_viewers; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_memory_viewers (
    viewer character varying(200) NOT NULL,
    memory integer NOT NULL
);


--
-- Name: docstore_memory_words; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_memory_words (
    rowid bigint NOT NULL,
    words tsvector NOT NULL
);


--
-- Name: docstore_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: docstore_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.docstore_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: docstore_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.docstore_migrations_id_seq OWNED BY public.docstore_migrations.id;


--
-- Name: docstore_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: docstore_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.docstore_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: docstore_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.docstore_migrations_lock_index_seq OWNED BY public.docstore_migrations_lock.index;


--
-- Name: docstore_tags; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.docstore_tags (
    tag character varying(100) NOT NULL,
    document integer NOT NULL
);


--
-- Name: host_leases; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host_leases (
    name character varying(256) NOT NULL,
    holder character varying(36) NOT NULL,
    token bigint NOT NULL,
    expires_at timestamp with time zone NOT NULL,
    about text
);


--
-- Name: host_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: host_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.host_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: host_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.host_migrations_id_seq OWNED BY public.host_migrations.id;


--
-- Name: host_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.host_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: host_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.host_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: host_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.host_migrations_lock_index_seq OWNED BY public.host_migrations_lock.index;


--
-- Name: index_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.index_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: index_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.index_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: index_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.index_audit_seq_seq OWNED BY public.index_audit.seq;


--
-- Name: index_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.index_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: index_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.index_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: index_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.index_migrations_id_seq OWNED BY public.index_migrations.id;


--
-- Name: index_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.index_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: index_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.index_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: index_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.index_migrations_lock_index_seq OWNED BY public.index_migrations_lock.index;


--
-- Name: index_repositories; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.index_repositories (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    name character varying(128) NOT NULL,
    path text NOT NULL,
    root text NOT NULL,
    status character varying(16) NOT NULL,
    languages text,
    ignore text NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL,
    last_indexed character varying(30),
    error_message text,
    model text,
    version integer DEFAULT 0 NOT NULL
);


--
-- Name: index_repositories_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.index_repositories_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: index_repositories_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.index_repositories_seq_seq OWNED BY public.index_repositories.seq;


--
-- Name: monitor_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.monitor_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: monitor_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.monitor_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: monitor_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.monitor_audit_seq_seq OWNED BY public.monitor_audit.seq;


--
-- Name: monitor_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.monitor_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: monitor_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.monitor_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: monitor_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.monitor_migrations_id_seq OWNED BY public.monitor_migrations.id;


--
-- Name: monitor_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.monitor_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: monitor_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.monitor_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: monitor_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.monitor_migrations_lock_index_seq OWNED BY public.monitor_migrations_lock.index;


--
-- Name: notify_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notify_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: notify_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.notify_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: notify_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.notify_audit_seq_seq OWNED BY public.notify_audit.seq;


--
-- Name: notify_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notify_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: notify_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.notify_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: notify_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.notify_migrations_id_seq OWNED BY public.notify_migrations.id;


--
-- Name: notify_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notify_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: notify_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.notify_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: notify_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.notify_migrations_lock_index_seq OWNED BY public.notify_migrations_lock.index;


--
-- Name: notify_notifications; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notify_notifications (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    source text NOT NULL,
    lifetime text NOT NULL,
    title text NOT NULL,
    message text NOT NULL,
    priority character varying(16) NOT NULL,
    requires_response boolean NOT NULL,
    status character varying(16) NOT NULL,
    response text,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL,
    urgency integer NOT NULL,
    open integer NOT NULL,
    due_at character varying(30)
);


--
-- Name: notify_notifications_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.notify_notifications_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: notify_notifications_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.notify_notifications_seq_seq OWNED BY public.notify_notifications.seq;


--
-- Name: notify_outbox; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.notify_outbox (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    channel character varying(64) NOT NULL,
    subject character varying(64) NOT NULL,
    payload text NOT NULL,
    digest character varying(64) NOT NULL,
    status character varying(16) NOT NULL,
    attempts integer NOT NULL,
    due_at character varying(30) NOT NULL,
    error text,
    created_at character varying(30) NOT NULL,
    ended_at character varying(30)
);


--
-- Name: notify_outbox_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.notify_outbox_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: notify_outbox_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.notify_outbox_seq_seq OWNED BY public.notify_outbox.seq;


--
-- Name: orchestrator_agents; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_agents (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    name text NOT NULL,
    status character varying(16) NOT NULL,
    config text NOT NULL,
    launched_config text,
    token_hash character varying(64),
    launch_file text,
    worktree text,
    launches integer DEFAULT 0 NOT NULL,
    restarts integer DEFAULT 0 NOT NULL,
    last_error text,
    warnings text DEFAULT '[]'::text NOT NULL,
    prompt_due boolean DEFAULT false NOT NULL,
    program_session text,
    program_version text,
    session_number integer DEFAULT 1 NOT NULL,
    cost_seen double precision DEFAULT '0'::double precision NOT NULL,
    api_ms_seen double precision DEFAULT '0'::double precision NOT NULL,
    seen_frames text DEFAULT '[]'::text NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL,
    lost_messages text DEFAULT '[]'::text NOT NULL,
    restart_due boolean DEFAULT false NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    purge_due boolean DEFAULT false NOT NULL
);


--
-- Name: orchestrator_agents_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_agents_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_agents_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_agents_seq_seq OWNED BY public.orchestrator_agents.seq;


--
-- Name: orchestrator_approvals; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_approvals (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    agent_id character varying(36) NOT NULL,
    request_id text NOT NULL,
    tool_name text NOT NULL,
    tool_input text NOT NULL,
    input_digest character varying(64) NOT NULL,
    launch integer NOT NULL,
    session_number integer NOT NULL,
    status character varying(16) NOT NULL,
    scope character varying(16),
    updated_input text,
    decided_by character varying(256),
    reason text,
    created_at character varying(30) NOT NULL,
    expires_at character varying(30) NOT NULL,
    decided_at character varying(30),
    delivered_at character varying(30),
    cause character varying(16),
    conversation text
);


--
-- Name: orchestrator_approvals_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_approvals_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_approvals_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_approvals_seq_seq OWNED BY public.orchestrator_approvals.seq;


--
-- Name: orchestrator_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: orchestrator_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_audit_seq_seq OWNED BY public.orchestrator_audit.seq;


--
-- Name: orchestrator_chain_ends; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_chain_ends (
    seq integer NOT NULL,
    workflow_id character varying(36) NOT NULL,
    dispatch_id character varying(36) NOT NULL
);


--
-- Name: orchestrator_chain_ends_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_chain_ends_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_chain_ends_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_chain_ends_seq_seq OWNED BY public.orchestrator_chain_ends.seq;


--
-- Name: orchestrator_dispatches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_dispatches (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    workflow_id character varying(36) NOT NULL,
    source_id text NOT NULL,
    agent_id character varying(36) NOT NULL,
    prompt_sent text NOT NULL,
    status character varying(16) NOT NULL,
    trigger_type character varying(32) NOT NULL,
    attempt integer NOT NULL,
    error text,
    result text,
    usage text,
    created_at character varying(30) NOT NULL,
    dispatched_at character varying(30),
    completed_at character varying(30),
    task text,
    depth integer DEFAULT 0 NOT NULL
);


--
-- Name: orchestrator_dispatches_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_dispatches_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_dispatches_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_dispatches_seq_seq OWNED BY public.orchestrator_dispatches.seq;


--
-- Name: orchestrator_firings; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_firings (
    workflow_id character varying(36) NOT NULL,
    last_fired_at character varying(30),
    last_error text
);


--
-- Name: orchestrator_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: orchestrator_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_migrations_id_seq OWNED BY public.orchestrator_migrations.id;


--
-- Name: orchestrator_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: orchestrator_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_migrations_lock_index_seq OWNED BY public.orchestrator_migrations_lock.index;


--
-- Name: orchestrator_policies; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_policies (
    name character varying(256) NOT NULL,
    mode character varying(32) NOT NULL,
    tools text NOT NULL,
    description text,
    version integer DEFAULT 1 NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL
);


--
-- Name: orchestrator_prompts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_prompts (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    agent_id character varying(36) NOT NULL,
    kind character varying(16) NOT NULL,
    rank integer NOT NULL,
    content text NOT NULL,
    dispatch_id character varying(36),
    policy text,
    status character varying(16) NOT NULL,
    error text,
    created_at character varying(30) NOT NULL,
    sent_at character varying(30),
    done_at character varying(30),
    result text
);


--
-- Name: orchestrator_prompts_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_prompts_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_prompts_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_prompts_seq_seq OWNED BY public.orchestrator_prompts.seq;


--
-- Name: orchestrator_queue_tasks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_queue_tasks (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    queue_name character varying(64) NOT NULL,
    status character varying(16) NOT NULL,
    title text NOT NULL,
    body text NOT NULL,
    priority integer NOT NULL,
    retry_count integer NOT NULL,
    max_retries integer NOT NULL,
    dispatch_id character varying(36),
    error text,
    created_at character varying(30) NOT NULL,
    visible_at character varying(30) NOT NULL,
    ended_at character varying(30)
);


--
-- Name: orchestrator_queue_tasks_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_queue_tasks_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_queue_tasks_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_queue_tasks_seq_seq OWNED BY public.orchestrator_queue_tasks.seq;


--
-- Name: orchestrator_room_cursors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_room_cursors (
    room_id character varying(36) NOT NULL,
    message_id character varying(36) NOT NULL
);


--
-- Name: orchestrator_room_members; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_room_members (
    agent_id character varying(36) NOT NULL,
    room character varying(128) NOT NULL,
    role character varying(16) NOT NULL
);


--
-- Name: orchestrator_room_prompts; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_room_prompts (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    prompt_id character varying(36),
    agent_id character varying(36) NOT NULL,
    sender_id character varying(128) NOT NULL,
    room_id character varying(36) NOT NULL,
    message_id character varying(36) NOT NULL,
    kind character varying(16) NOT NULL,
    hops integer NOT NULL,
    status character varying(16) NOT NULL,
    content text,
    error text,
    created_at character varying(30) NOT NULL
);


--
-- Name: orchestrator_room_prompts_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_room_prompts_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_room_prompts_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_room_prompts_seq_seq OWNED BY public.orchestrator_room_prompts.seq;


--
-- Name: orchestrator_seen_tasks; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_seen_tasks (
    workflow_id character varying(36) NOT NULL,
    name character varying(255) NOT NULL
);


--
-- Name: orchestrator_sessions; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_sessions (
    agent_id character varying(36) NOT NULL,
    number integer NOT NULL,
    input_tokens double precision DEFAULT '0'::double precision NOT NULL,
    output_tokens double precision DEFAULT '0'::double precision NOT NULL,
    cache_read_input_tokens double precision DEFAULT '0'::double precision NOT NULL,
    cache_creation_input_tokens double precision DEFAULT '0'::double precision NOT NULL,
    total_cost_usd double precision DEFAULT '0'::double precision NOT NULL,
    num_turns double precision DEFAULT '0'::double precision NOT NULL,
    duration_ms double precision DEFAULT '0'::double precision NOT NULL,
    duration_api_ms double precision DEFAULT '0'::double precision NOT NULL,
    result_count double precision DEFAULT '0'::double precision NOT NULL,
    started_at character varying(30),
    ended_at character varying(30)
);


--
-- Name: orchestrator_transcript; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_transcript (
    seq integer NOT NULL,
    agent_id character varying(36) NOT NULL,
    type character varying(64) NOT NULL,
    content text NOT NULL,
    details text,
    "timestamp" character varying(30) NOT NULL
);


--
-- Name: orchestrator_transcript_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_transcript_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_transcript_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_transcript_seq_seq OWNED BY public.orchestrator_transcript.seq;


--
-- Name: orchestrator_trigger_cursors; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_trigger_cursors (
    workflow_id character varying(36) NOT NULL,
    cursor text NOT NULL,
    updated_at character varying(30) NOT NULL
);


--
-- Name: orchestrator_workflows; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.orchestrator_workflows (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    name character varying(256) NOT NULL,
    agent_id character varying(36) NOT NULL,
    trigger_config text NOT NULL,
    prompt_template text NOT NULL,
    poll_interval_secs integer NOT NULL,
    enabled boolean NOT NULL,
    tool_policy text NOT NULL,
    version integer DEFAULT 1 NOT NULL,
    created_at character varying(30) NOT NULL,
    updated_at character varying(30) NOT NULL,
    on_restart character varying(16),
    finished boolean DEFAULT false NOT NULL
);


--
-- Name: orchestrator_workflows_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.orchestrator_workflows_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: orchestrator_workflows_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.orchestrator_workflows_seq_seq OWNED BY public.orchestrator_workflows.seq;


--
-- Name: wrap_audit; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wrap_audit (
    seq integer NOT NULL,
    kind character varying(16) NOT NULL,
    resource_id character varying(256) NOT NULL,
    field text NOT NULL,
    actor text NOT NULL,
    request_id text NOT NULL,
    endpoint text NOT NULL,
    at character varying(30) NOT NULL
);


--
-- Name: wrap_audit_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.wrap_audit_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: wrap_audit_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.wrap_audit_seq_seq OWNED BY public.wrap_audit.seq;


--
-- Name: wrap_launches; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wrap_launches (
    seq integer NOT NULL,
    id character varying(36) NOT NULL,
    session_name character varying(128) NOT NULL,
    project_path text NOT NULL,
    model_provider text NOT NULL,
    model_name text NOT NULL,
    agent_type character varying(16) NOT NULL,
    created_at character varying(30) NOT NULL
);


--
-- Name: wrap_launches_seq_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.wrap_launches_seq_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: wrap_launches_seq_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.wrap_launches_seq_seq OWNED BY public.wrap_launches.seq;


--
-- Name: wrap_migrations; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wrap_migrations (
    id integer NOT NULL,
    name character varying(255),
    batch integer,
    migration_time timestamp with time zone
);


--
-- Name: wrap_migrations_id_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.wrap_migrations_id_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: wrap_migrations_id_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.wrap_migrations_id_seq OWNED BY public.wrap_migrations.id;


--
-- Name: wrap_migrations_lock; Type: TABLE; Schema: public; Owner: -
--

CREATE TABLE public.wrap_migrations_lock (
    index integer NOT NULL,
    is_locked integer
);


--
-- Name: wrap_migrations_lock_index_seq; Type: SEQUENCE; Schema: public; Owner: -
--

CREATE SEQUENCE public.wrap_migrations_lock_index_seq
    AS integer
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1;


--
-- Name: wrap_migrations_lock_index_seq; Type: SEQUENCE OWNED BY; Schema: public; Owner: -
--

ALTER SEQUENCE public.wrap_migrations_lock_index_seq OWNED BY public.wrap_migrations_lock.index;


--
-- Name: ask_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_audit ALTER COLUMN seq SET DEFAULT nextval('public.ask_audit_seq_seq'::regclass);


--
-- Name: ask_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_migrations ALTER COLUMN id SET DEFAULT nextval('public.ask_migrations_id_seq'::regclass);


--
-- Name: ask_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.ask_migrations_lock_index_seq'::regclass);


--
-- Name: ask_questions seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_questions ALTER COLUMN seq SET DEFAULT nextval('public.ask_questions_seq_seq'::regclass);


--
-- Name: communicate_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_audit ALTER COLUMN seq SET DEFAULT nextval('public.communicate_audit_seq_seq'::regclass);


--
-- Name: communicate_leftovers seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_leftovers ALTER COLUMN seq SET DEFAULT nextval('public.communicate_leftovers_seq_seq'::regclass);


--
-- Name: communicate_locks seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_locks ALTER COLUMN seq SET DEFAULT nextval('public.communicate_locks_seq_seq'::regclass);


--
-- Name: communicate_messages seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_messages ALTER COLUMN seq SET DEFAULT nextval('public.communicate_messages_seq_seq'::regclass);


--
-- Name: communicate_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_migrations ALTER COLUMN id SET DEFAULT nextval('public.communicate_migrations_id_seq'::regclass);


--
-- Name: communicate_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.communicate_migrations_lock_index_seq'::regclass);


--
-- Name: communicate_participants seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_participants ALTER COLUMN seq SET DEFAULT nextval('public.communicate_participants_seq_seq'::regclass);


--
-- Name: communicate_rooms seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_rooms ALTER COLUMN seq SET DEFAULT nextval('public.communicate_rooms_seq_seq'::regclass);


--
-- Name: controller_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_audit ALTER COLUMN seq SET DEFAULT nextval('public.controller_audit_seq_seq'::regclass);


--
-- Name: controller_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations ALTER COLUMN id SET DEFAULT nextval('public.controller_migrations_id_seq'::regclass);


--
-- Name: controller_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.controller_migrations_lock_index_seq'::regclass);


--
-- Name: controller_sent seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_sent ALTER COLUMN seq SET DEFAULT nextval('public.controller_sent_seq_seq'::regclass);


--
-- Name: docstore_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_audit ALTER COLUMN seq SET DEFAULT nextval('public.docstore_audit_seq_seq'::regclass);


--
-- Name: docstore_documents seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_documents ALTER COLUMN seq SET DEFAULT nextval('public.docstore_documents_seq_seq'::regclass);


--
-- Name: docstore_memories seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_memories ALTER COLUMN seq SET DEFAULT nextval('public.docstore_memories_seq_seq'::regclass);


--
-- Name: docstore_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_migrations ALTER COLUMN id SET DEFAULT nextval('public.docstore_migrations_id_seq'::regclass);


--
-- Name: docstore_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.docstore_migrations_lock_index_seq'::regclass);


--
-- Name: host_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_migrations ALTER COLUMN id SET DEFAULT nextval('public.host_migrations_id_seq'::regclass);


--
-- Name: host_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.host_migrations_lock_index_seq'::regclass);


--
-- Name: index_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_audit ALTER COLUMN seq SET DEFAULT nextval('public.index_audit_seq_seq'::regclass);


--
-- Name: index_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_migrations ALTER COLUMN id SET DEFAULT nextval('public.index_migrations_id_seq'::regclass);


--
-- Name: index_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.index_migrations_lock_index_seq'::regclass);


--
-- Name: index_repositories seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_repositories ALTER COLUMN seq SET DEFAULT nextval('public.index_repositories_seq_seq'::regclass);


--
-- Name: monitor_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_audit ALTER COLUMN seq SET DEFAULT nextval('public.monitor_audit_seq_seq'::regclass);


--
-- Name: monitor_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_migrations ALTER COLUMN id SET DEFAULT nextval('public.monitor_migrations_id_seq'::regclass);


--
-- Name: monitor_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.monitor_migrations_lock_index_seq'::regclass);


--
-- Name: notify_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_audit ALTER COLUMN seq SET DEFAULT nextval('public.notify_audit_seq_seq'::regclass);


--
-- Name: notify_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_migrations ALTER COLUMN id SET DEFAULT nextval('public.notify_migrations_id_seq'::regclass);


--
-- Name: notify_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.notify_migrations_lock_index_seq'::regclass);


--
-- Name: notify_notifications seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_notifications ALTER COLUMN seq SET DEFAULT nextval('public.notify_notifications_seq_seq'::regclass);


--
-- Name: notify_outbox seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_outbox ALTER COLUMN seq SET DEFAULT nextval('public.notify_outbox_seq_seq'::regclass);


--
-- Name: orchestrator_agents seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_agents ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_agents_seq_seq'::regclass);


--
-- Name: orchestrator_approvals seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_approvals ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_approvals_seq_seq'::regclass);


--
-- Name: orchestrator_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_audit ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_audit_seq_seq'::regclass);


--
-- Name: orchestrator_chain_ends seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_chain_ends ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_chain_ends_seq_seq'::regclass);


--
-- Name: orchestrator_dispatches seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_dispatches ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_dispatches_seq_seq'::regclass);


--
-- Name: orchestrator_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations ALTER COLUMN id SET DEFAULT nextval('public.orchestrator_migrations_id_seq'::regclass);


--
-- Name: orchestrator_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.orchestrator_migrations_lock_index_seq'::regclass);


--
-- Name: orchestrator_prompts seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_prompts ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_prompts_seq_seq'::regclass);


--
-- Name: orchestrator_queue_tasks seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_queue_tasks ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_queue_tasks_seq_seq'::regclass);


--
-- Name: orchestrator_room_prompts seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_room_prompts ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_room_prompts_seq_seq'::regclass);


--
-- Name: orchestrator_transcript seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_transcript ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_transcript_seq_seq'::regclass);


--
-- Name: orchestrator_workflows seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows ALTER COLUMN seq SET DEFAULT nextval('public.orchestrator_workflows_seq_seq'::regclass);


--
-- Name: wrap_audit seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_audit ALTER COLUMN seq SET DEFAULT nextval('public.wrap_audit_seq_seq'::regclass);


--
-- Name: wrap_launches seq; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_launches ALTER COLUMN seq SET DEFAULT nextval('public.wrap_launches_seq_seq'::regclass);


--
-- Name: wrap_migrations id; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_migrations ALTER COLUMN id SET DEFAULT nextval('public.wrap_migrations_id_seq'::regclass);


--
-- Name: wrap_migrations_lock index; Type: DEFAULT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_migrations_lock ALTER COLUMN index SET DEFAULT nextval('public.wrap_migrations_lock_index_seq'::regclass);


--
-- Data for Name: ask_audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: ask_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ask_migrations VALUES (1, '001-questions', 1, '2026-11-22 22:07:12.056+00');
INSERT INTO public.ask_migrations VALUES (2, '002-audit', 1, '2026-11-22 22:07:12.062+00');


--
-- Data for Name: ask_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.ask_migrations_lock VALUES (1, 0);


--
-- Data for Name: ask_questions; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: communicate_audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: communicate_leftovers; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: communicate_locks; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: communicate_messages; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: communicate_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.communicate_migrations VALUES (1, '001-rooms', 1, '2026-11-22 22:07:11.667+00');
INSERT INTO public.communicate_migrations VALUES (2, '002-messages', 1, '2026-11-22 22:07:11.683+00');
INSERT INTO public.communicate_migrations VALUES (3, '003-audit', 1, '2026-11-22 22:07:11.688+00');


--
-- Data for Name: communicate_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.communicate_migrations_lock VALUES (1, 0);


--
-- Data for Name: communicate_participants; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: communicate_rooms; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: controller_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_audit VALUES (1, 'operation', 'controller.revertDrift agents/reader', '', 'tester', '729afa94-fcca-4dce-a881-d29edd09a628', 'POST /drift/{kind}/{name}/revert', '2026-11-22T22:07:13.426Z');


--
-- Data for Name: controller_cursors; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_cursors VALUES ('policies', 2);
INSERT INTO public.controller_cursors VALUES ('agents', 18);
INSERT INTO public.controller_cursors VALUES ('workflows', 7);


--
-- Data for Name: controller_drift; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_drift VALUES ('12cfcf38-2e84-40fb-b556-fb784d9c7b3e', 'agents', 'reader', 'tool_policy', '{"mode":"allow_list","tools":["Grep","Read"]}', '{"mode":"deny_all"}', '{"mode":"allow_list","tools":["Grep","Read"]}', 'tester', 'f3dbb868-93b0-4b02-ad71-911320391077', 'PUT /agents/{id}/policy', '2026-11-22T22:07:13.214Z', '2026-11-22T22:07:13.403Z', 'reverted', '[{"actor":"tester","request_id":"f3dbb868-93b0-4b02-ad71-911320391077","endpoint":"PUT /agents/{id}/policy","at":"2026-11-22T22:07:13.207Z"}]', '0a4b74ece1daeb9e9bfa2da7206a0c23', '43900e960368026329e251a0a5041d86');
INSERT INTO public.controller_drift VALUES ('0654c047-1af7-4ec0-aee0-fab84060647e', 'agents', 'reader', 'tool_policy', '{"mode":"allow_list","tools":["Grep","Read"]}', '{"mode":"deny_all"}', '{"mode":"allow_list","tools":["Grep","Read"]}', 'tester', '1755ef1b-0ffc-4fce-8d86-61ef7588a9ac', 'PUT /agents/{id}/policy', '2026-11-22T22:07:13.457Z', '2026-11-22T22:07:13.457Z', NULL, '[{"actor":"tester","request_id":"1755ef1b-0ffc-4fce-8d86-61ef7588a9ac","endpoint":"PUT /agents/{id}/policy","at":"2026-11-22T22:07:13.446Z"}]', '0a4b74ece1daeb9e9bfa2da7206a0c23', '43900e960368026329e251a0a5041d86');


--
-- Data for Name: controller_intents; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: controller_inventory; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_inventory VALUES ('policies', 'ask-first', 'default', 'policies/ask-first.yml', 1, 1, 'ask-first', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"ask-first","mode":"require_approval","tools":[],"description":null}', '=desired', '[]', NULL, NULL, NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('policies', 'readers', 'default', 'policies/readers.yml', 1, 1, 'readers', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"readers","mode":"allow_list","tools":["Grep","Read"],"description":null}', '=desired', '[]', NULL, NULL, NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'writer', 'default', 'agents/writer.yml', 1, 1, '322b71fb-b63b-4865-8deb-bd6b5d851379', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '[]', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:JXNgBW/rl2ONm8Qlz2VqJteCMA48p3RRU92kz+bn9NhHUdrN6G6Zrpo="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '=desired', '[]', NULL, NULL, NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('workflows', 'by-hand', 'default', 'workflows/by-hand.yml', 1, 1, 'aad8272e-3c06-4ee8-b586-a7287714ddf2', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["agents/writer"]', '{"name":"by-hand","agent":"writer","trigger":{"type":"manual"},"prompt_template":"Do {{title}}\n","poll_interval_secs":60,"enabled":true,"on_restart":null,"tool_policy":{"mode":"auto"}}', '=desired', '[]', NULL, NULL, NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'builder', 'default', 'agents/builder.yml', 1, 1, '1ac595f0-0591-4b2c-8f7f-e806aae6af93', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["policies/ask-first"]', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '=desired', '[]', NULL, NULL, NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('workflows', 'hook', 'default', 'workflows/hook.yml', 1, 1, 'f7eaface-c5b1-4d4f-ac06-5454b15ac772', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["agents/reader"]', '{"name":"hook","agent":"reader","trigger":{"type":"webhook","secret":{"$sealed":"sealed:v1:uNpitGUk6j3wqHaI3AkEJ1Pj+lcuVlFZIWnm2HfSCVgAnkVpyKVG"}},"prompt_template":"Read {{title}}\n","poll_interval_secs":60,"enabled":true,"on_restart":null,"tool_policy":{"mode":"auto"}}', '=desired', '[]', NULL, NULL, NULL, NULL);
INSERT INTO public.controller_inventory VALUES ('agents', 'reader', 'default', 'agents/reader.yml', 1, 1, '585c5f4d-3af2-4212-aa35-be00d6575719', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '{}', '["policies/readers"]', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_list","tools":["Grep","Read"]},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"on-failure"}', '=desired', '[{"type":"Ready","status":"True","reason":"Healthy","message":"running","revision":"268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c","observed_at":"2026-11-22T22:07:13.224Z"},{"type":"Drifted","status":"True","reason":"DriftFound","message":"live differs from what was applied; svc drift says where","revision":"268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c","observed_at":"2026-11-22T22:07:13.224Z"}]', NULL, NULL, NULL, NULL);


--
-- Data for Name: controller_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_migrations VALUES (1, '001-inventory-runs-drift', 1, '2026-11-22 22:07:11.879+00');
INSERT INTO public.controller_migrations VALUES (2, '002-audit', 1, '2026-11-22 22:07:11.886+00');
INSERT INTO public.controller_migrations VALUES (3, '003-page-indexes', 1, '2026-11-22 22:07:11.894+00');
INSERT INTO public.controller_migrations VALUES (4, '004-run-diagnostics', 1, '2026-11-22 22:07:11.898+00');
INSERT INTO public.controller_migrations VALUES (5, '005-intents', 1, '2026-11-22 22:07:11.903+00');
INSERT INTO public.controller_migrations VALUES (6, '006-records', 1, '2026-11-22 22:07:11.91+00');
INSERT INTO public.controller_migrations VALUES (7, '007-owed-and-sent', 1, '2026-11-22 22:07:11.919+00');
INSERT INTO public.controller_migrations VALUES (8, '008-revisions-of-sources', 1, '2026-11-22 22:07:11.92+00');
INSERT INTO public.controller_migrations VALUES (9, '009-holds', 1, '2026-11-22 22:07:11.922+00');
INSERT INTO public.controller_migrations VALUES (10, '010-contests', 1, '2026-11-22 22:07:11.924+00');
INSERT INTO public.controller_migrations VALUES (11, '011-suspended-resources', 1, '2026-11-22 22:07:11.925+00');


--
-- Data for Name: controller_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_migrations_lock VALUES (1, 0);


--
-- Data for Name: controller_runs; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_runs VALUES ('239494f1-1070-48b5-9ea5-ac10935c7ea6', 'default', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', 'succeeded', 'controller', '2026-11-22T22:07:12.531Z', '2026-11-22T22:07:12.860Z', '{"create":7,"update":0,"restart":0,"replace":0,"adopt":0,"delete":0,"unchanged":0}', NULL, '[]', true);
INSERT INTO public.controller_runs VALUES ('5ad41836-c11d-4a8a-b14b-9f2a928e3e8d', 'default', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', 'succeeded', 'tester', '2026-11-22T22:07:13.278Z', '2026-11-22T22:07:13.416Z', '{"create":0,"update":1,"restart":0,"replace":0,"adopt":0,"delete":0,"unchanged":0}', NULL, '[]', true);


--
-- Data for Name: controller_sent; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: controller_sources; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_sources VALUES ('default', '/tmp/svc-stand-nbwYSP/project/manifests', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', false, '2026-11-22T22:07:13.425Z', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', '268b841ecd685b43a0ee181ea1f4f50e68be08a13775795d06680d4d9309f80c', NULL);


--
-- Data for Name: controller_steps; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.controller_steps VALUES ('239494f1-1070-48b5-9ea5-ac10935c7ea6', 0, 'policies', 'ask-first', 'create', 'done', 'ask-first', NULL, '2026-11-22T22:07:12.571Z', '2026-11-22T22:07:12.635Z');
INSERT INTO public.controller_steps VALUES ('239494f1-1070-48b5-9ea5-ac10935c7ea6', 1, 'policies', 'readers', 'create', 'done', 'readers', NULL, '2026-11-22T22:07:12.571Z', '2026-11-22T22:07:12.636Z');
INSERT INTO public.controller_steps VALUES ('239494f1-1070-48b5-9ea5-ac10935c7ea6', 2, 'agents', 'writer', 'create', 'done', '322b71fb-b63b-4865-8deb-bd6b5d851379', NULL, '2026-11-22T22:07:12.571Z', '2026-11-22T22:07:12.672Z');
INSERT INTO public.controller_steps VALUES ('239494f1-1070-48b5-9ea5-ac10935c7ea6', 5, 'workflows', 'by-hand', 'create', 'done', 'aad8272e-3c06-4ee8-b586-a7287714ddf2', NULL, '2026-11-22T22:07:12.681Z', '2026-11-22T22:07:12.711Z');
INSERT INTO public.controller_steps VALUES ('239494f1-1070-48b5-9ea5-ac10935c7ea6', 4, 'agents', 'reader', 'create', 'done', '585c5f4d-3af2-4212-aa35-be00d6575719', NULL, '2026-11-22T22:07:12.681Z', '2026-11-22T22:07:12.803Z');
INSERT INTO public.controller_steps VALUES ('239494f1-1070-48b5-9ea5-ac10935c7ea6', 3, 'agents', 'builder', 'create', 'done', '1ac595f0-0591-4b2c-8f7f-e806aae6af93', NULL, '2026-11-22T22:07:12.681Z', '2026-11-22T22:07:12.812Z');
INSERT INTO public.controller_steps VALUES ('239494f1-1070-48b5-9ea5-ac10935c7ea6', 6, 'workflows', 'hook', 'create', 'done', 'f7eaface-c5b1-4d4f-ac06-5454b15ac772', NULL, '2026-11-22T22:07:12.827Z', '2026-11-22T22:07:12.856Z');
INSERT INTO public.controller_steps VALUES ('5ad41836-c11d-4a8a-b14b-9f2a928e3e8d', 0, 'agents', 'reader', 'update', 'done', '585c5f4d-3af2-4212-aa35-be00d6575719', NULL, '2026-11-22T22:07:13.333Z', '2026-11-22T22:07:13.372Z');


--
-- Data for Name: docstore_audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: docstore_document_words; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: docstore_documents; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: docstore_memories; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: docstore_memory_tags; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: docstore_memory_vectors; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: docstore_memory_viewers; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: docstore_memory_words; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: docstore_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.docstore_migrations VALUES (1, '001-documents', 1, '2026-11-22 22:07:11.718+00');
INSERT INTO public.docstore_migrations VALUES (2, '002-document-words', 1, '2026-11-22 22:07:11.722+00');
INSERT INTO public.docstore_migrations VALUES (3, '003-audit', 1, '2026-11-22 22:07:11.726+00');
INSERT INTO public.docstore_migrations VALUES (4, '004-memories', 1, '2026-11-22 22:07:11.74+00');
INSERT INTO public.docstore_migrations VALUES (5, '005-memory-words', 1, '2026-11-22 22:07:11.743+00');
INSERT INTO public.docstore_migrations VALUES (6, '006-memory-vectors', 1, '2026-11-22 22:07:11.747+00');


--
-- Data for Name: docstore_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.docstore_migrations_lock VALUES (1, 0);


--
-- Data for Name: docstore_tags; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: host_leases; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.host_leases VALUES ('daemon/orchestrator', 'c744b0ef-e5a6-463e-bf3d-b0e2abe5b9b0', 1, '2026-11-22 22:07:13.773794+00', '{"place":"f2a931e0-6a3a-4ec9-a9a5-28a86cd392ae:65024:2180465","holder":{"pid":2740,"host":"vm","since":"2026-11-22T22:07:11.255Z","version":"0.1.0","data_dir":"/tmp/svc-stand-nbwYSP/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:25802","communicate":"http://127.0.0.1:25797","docstore":"http://127.0.0.1:25798","index":"http://127.0.0.1:25799","controller":"http://127.0.0.1:25795","notify":"http://127.0.0.1:25801","wrap":"http://127.0.0.1:25803","ask":"http://127.0.0.1:25796","monitor":"http://127.0.0.1:25800"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/communicate', 'c744b0ef-e5a6-463e-bf3d-b0e2abe5b9b0', 1, '2026-11-22 22:07:13.77381+00', '{"place":"f2a931e0-6a3a-4ec9-a9a5-28a86cd392ae:65024:2180465","holder":{"pid":2740,"host":"vm","since":"2026-11-22T22:07:11.255Z","version":"0.1.0","data_dir":"/tmp/svc-stand-nbwYSP/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:25802","communicate":"http://127.0.0.1:25797","docstore":"http://127.0.0.1:25798","index":"http://127.0.0.1:25799","controller":"http://127.0.0.1:25795","notify":"http://127.0.0.1:25801","wrap":"http://127.0.0.1:25803","ask":"http://127.0.0.1:25796","monitor":"http://127.0.0.1:25800"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/docstore', 'c744b0ef-e5a6-463e-bf3d-b0e2abe5b9b0', 1, '2026-11-22 22:07:13.773813+00', '{"place":"f2a931e0-6a3a-4ec9-a9a5-28a86cd392ae:65024:2180465","holder":{"pid":2740,"host":"vm","since":"2026-11-22T22:07:11.255Z","version":"0.1.0","data_dir":"/tmp/svc-stand-nbwYSP/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:25802","communicate":"http://127.0.0.1:25797","docstore":"http://127.0.0.1:25798","index":"http://127.0.0.1:25799","controller":"http://127.0.0.1:25795","notify":"http://127.0.0.1:25801","wrap":"http://127.0.0.1:25803","ask":"http://127.0.0.1:25796","monitor":"http://127.0.0.1:25800"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/index', 'c744b0ef-e5a6-463e-bf3d-b0e2abe5b9b0', 1, '2026-11-22 22:07:13.773816+00', '{"place":"f2a931e0-6a3a-4ec9-a9a5-28a86cd392ae:65024:2180465","holder":{"pid":2740,"host":"vm","since":"2026-11-22T22:07:11.255Z","version":"0.1.0","data_dir":"/tmp/svc-stand-nbwYSP/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:25802","communicate":"http://127.0.0.1:25797","docstore":"http://127.0.0.1:25798","index":"http://127.0.0.1:25799","controller":"http://127.0.0.1:25795","notify":"http://127.0.0.1:25801","wrap":"http://127.0.0.1:25803","ask":"http://127.0.0.1:25796","monitor":"http://127.0.0.1:25800"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/controller', 'c744b0ef-e5a6-463e-bf3d-b0e2abe5b9b0', 1, '2026-11-22 22:07:13.773818+00', '{"place":"f2a931e0-6a3a-4ec9-a9a5-28a86cd392ae:65024:2180465","holder":{"pid":2740,"host":"vm","since":"2026-11-22T22:07:11.255Z","version":"0.1.0","data_dir":"/tmp/svc-stand-nbwYSP/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:25802","communicate":"http://127.0.0.1:25797","docstore":"http://127.0.0.1:25798","index":"http://127.0.0.1:25799","controller":"http://127.0.0.1:25795","notify":"http://127.0.0.1:25801","wrap":"http://127.0.0.1:25803","ask":"http://127.0.0.1:25796","monitor":"http://127.0.0.1:25800"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/notify', 'c744b0ef-e5a6-463e-bf3d-b0e2abe5b9b0', 1, '2026-11-22 22:07:13.77382+00', '{"place":"f2a931e0-6a3a-4ec9-a9a5-28a86cd392ae:65024:2180465","holder":{"pid":2740,"host":"vm","since":"2026-11-22T22:07:11.255Z","version":"0.1.0","data_dir":"/tmp/svc-stand-nbwYSP/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:25802","communicate":"http://127.0.0.1:25797","docstore":"http://127.0.0.1:25798","index":"http://127.0.0.1:25799","controller":"http://127.0.0.1:25795","notify":"http://127.0.0.1:25801","wrap":"http://127.0.0.1:25803","ask":"http://127.0.0.1:25796","monitor":"http://127.0.0.1:25800"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/wrap', 'c744b0ef-e5a6-463e-bf3d-b0e2abe5b9b0', 1, '2026-11-22 22:07:13.773822+00', '{"place":"f2a931e0-6a3a-4ec9-a9a5-28a86cd392ae:65024:2180465","holder":{"pid":2740,"host":"vm","since":"2026-11-22T22:07:11.255Z","version":"0.1.0","data_dir":"/tmp/svc-stand-nbwYSP/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:25802","communicate":"http://127.0.0.1:25797","docstore":"http://127.0.0.1:25798","index":"http://127.0.0.1:25799","controller":"http://127.0.0.1:25795","notify":"http://127.0.0.1:25801","wrap":"http://127.0.0.1:25803","ask":"http://127.0.0.1:25796","monitor":"http://127.0.0.1:25800"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/ask', 'c744b0ef-e5a6-463e-bf3d-b0e2abe5b9b0', 1, '2026-11-22 22:07:13.773825+00', '{"place":"f2a931e0-6a3a-4ec9-a9a5-28a86cd392ae:65024:2180465","holder":{"pid":2740,"host":"vm","since":"2026-11-22T22:07:11.255Z","version":"0.1.0","data_dir":"/tmp/svc-stand-nbwYSP/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:25802","communicate":"http://127.0.0.1:25797","docstore":"http://127.0.0.1:25798","index":"http://127.0.0.1:25799","controller":"http://127.0.0.1:25795","notify":"http://127.0.0.1:25801","wrap":"http://127.0.0.1:25803","ask":"http://127.0.0.1:25796","monitor":"http://127.0.0.1:25800"},"stopping":false}}');
INSERT INTO public.host_leases VALUES ('daemon/monitor', 'c744b0ef-e5a6-463e-bf3d-b0e2abe5b9b0', 1, '2026-11-22 22:07:13.773826+00', '{"place":"f2a931e0-6a3a-4ec9-a9a5-28a86cd392ae:65024:2180465","holder":{"pid":2740,"host":"vm","since":"2026-11-22T22:07:11.255Z","version":"0.1.0","data_dir":"/tmp/svc-stand-nbwYSP/data","services":["orchestrator","communicate","docstore","index","controller","notify","wrap","ask","monitor"],"urls":{"orchestrator":"http://127.0.0.1:25802","communicate":"http://127.0.0.1:25797","docstore":"http://127.0.0.1:25798","index":"http://127.0.0.1:25799","controller":"http://127.0.0.1:25795","notify":"http://127.0.0.1:25801","wrap":"http://127.0.0.1:25803","ask":"http://127.0.0.1:25796","monitor":"http://127.0.0.1:25800"},"stopping":false}}');


--
-- Data for Name: host_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.host_migrations VALUES (1, '001-leases', 1, '2026-11-22 22:07:11.392+00');
INSERT INTO public.host_migrations VALUES (2, '002-lease-holders', 1, '2026-11-22 22:07:11.394+00');


--
-- Data for Name: host_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.host_migrations_lock VALUES (1, 0);


--
-- Data for Name: index_audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: index_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.index_migrations VALUES (1, '001-repositories', 1, '2026-11-22 22:07:11.813+00');
INSERT INTO public.index_migrations VALUES (2, '002-audit', 1, '2026-11-22 22:07:11.821+00');
INSERT INTO public.index_migrations VALUES (3, '003-version', 1, '2026-11-22 22:07:11.823+00');


--
-- Data for Name: index_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.index_migrations_lock VALUES (1, 0);


--
-- Data for Name: index_repositories; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: monitor_audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: monitor_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.monitor_migrations VALUES (1, '001-audit', 1, '2026-11-22 22:07:12.092+00');


--
-- Data for Name: monitor_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.monitor_migrations_lock VALUES (1, 0);


--
-- Data for Name: notify_audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: notify_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notify_migrations VALUES (1, '001-notifications', 1, '2026-11-22 22:07:11.97+00');
INSERT INTO public.notify_migrations VALUES (2, '002-audit', 1, '2026-11-22 22:07:11.976+00');
INSERT INTO public.notify_migrations VALUES (3, '003-outbox', 1, '2026-11-22 22:07:11.987+00');


--
-- Data for Name: notify_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.notify_migrations_lock VALUES (1, 0);


--
-- Data for Name: notify_notifications; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: notify_outbox; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_agents; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_agents VALUES (3, '1ac595f0-0591-4b2c-8f7f-e806aae6af93', 'builder', 'running', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '{"name":"builder","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"require_approval"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '57b7ad989d2a5bbf83c4813819479aeabb5ebd2b6f6189195adca345d142b952', '/tmp/svc-stand-nbwYSP/data/launch/1ac595f0-0591-4b2c-8f7f-e806aae6af93.json', NULL, 1, 0, NULL, '[]', false, '516b9b2d-2c2a-4ad5-823a-e40ec5e14668', '1.0.0', 1, 0.0008286, 28, '["6f91e68d-3864-4f6f-8502-92c8467af777"]', '2026-11-22T22:07:12.691Z', '2026-11-22T22:07:12.767Z', '[]', false, 5, false);
INSERT INTO public.orchestrator_agents VALUES (4, 'f81ab0c5-d3a1-4edb-af13-82074dba8680', 'guest', 'running', '{"name":"guest","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"GUEST_SECRET":{"$sealed":"sealed:v1:Qany2fR7tOZZxLndN+tGUfdk1EmK4TJw9dg60mPhTkaqqb5e7o9/qQ=="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"never"}', '{"name":"guest","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"GUEST_SECRET":{"$sealed":"sealed:v1:50SnTcqKDGqFlFmjn3mM7stGo+fmFHPU3jBAwJLAN2qjEFNbu8GqmQ=="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"never"}', 'a1b5a8610d4255d894649ac3cbf583c0fa6f9675cea2f7c00d78647d0ee5cf4b', '/tmp/svc-stand-nbwYSP/data/launch/f81ab0c5-d3a1-4edb-af13-82074dba8680.json', NULL, 1, 0, NULL, '[]', false, NULL, '1.0.0', 1, 0, 0, '[]', '2026-11-22T22:07:13.007Z', '2026-11-22T22:07:13.025Z', '[]', false, 3, false);
INSERT INTO public.orchestrator_agents VALUES (2, '585c5f4d-3af2-4212-aa35-be00d6575719', 'reader', 'running', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"deny_all"},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"on-failure"}', '{"name":"reader","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_list","tools":["Grep","Read"]},"additional_dirs":[],"model":null,"env":{},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"on-failure"}', '6b9ba0c79e7f5511c468a328f33799b73c3b7378e8266bf8004bc9de8d5d3436', '/tmp/svc-stand-nbwYSP/data/launch/585c5f4d-3af2-4212-aa35-be00d6575719.json', NULL, 1, 0, NULL, '[]', false, NULL, '1.0.0', 1, 0, 0, '[]', '2026-11-22T22:07:12.692Z', '2026-11-22T22:07:13.445Z', '[]', false, 6, false);
INSERT INTO public.orchestrator_agents VALUES (1, '322b71fb-b63b-4865-8deb-bd6b5d851379', 'writer', 'running', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:SWZDqMW+ZnTneCLl+I/7QEvGFEifscEAvGZMr8ELlwDugsPX+mFmhM0="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '{"name":"writer","working_dir":"/tmp","user":null,"shell":"bash","interactive":false,"prompt":null,"worktree":false,"system_prompt":null,"tool_policy":{"mode":"allow_all"},"additional_dirs":[],"model":null,"env":{"WRITER_SECRET":{"$sealed":"sealed:v1:7ITunVavUlTgjBW+I7ngvEw9JCI/mdTHrd4uSoj6I7CQXmV181sc438="}},"rooms":[],"runtime":"scripted","command":null,"auto_clear_threshold":null,"max_cost_usd":null,"may":[],"restart":"always"}', '2d0bbbf74761a80c1d8e0ce1fae374f4401313906fcae75b2e0d91d3aa9f62ea', '/tmp/svc-stand-nbwYSP/data/launch/322b71fb-b63b-4865-8deb-bd6b5d851379.json', NULL, 1, 0, NULL, '[]', false, '57d609ac-42fc-4c32-be0e-7da4400aa017', '1.0.0', 1, 0.00030015, 13, '["657182a9-b613-4579-b808-b7e64f4347e9","86aa97c3-39bf-44e8-8ed1-68a4142b4235"]', '2026-11-22T22:07:12.622Z', '2026-11-22T22:07:12.668Z', '[]', false, 6, false);


--
-- Data for Name: orchestrator_approvals; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_approvals VALUES (1, '64349ecf-04c0-49fa-884c-ce85b3435823', '1ac595f0-0591-4b2c-8f7f-e806aae6af93', 'c3cdce67-b44c-400a-9187-2b5907736526', 'Bash', '{"command":"echo decided","description":"Run a command"}', 'b6b8c85e66e91e5e66c1557f488ae5b393761b484a83ba6cb6e8605ac58bf275', 1, 1, 'approved', 'once', NULL, 'tester', NULL, '2026-11-22T22:07:13.523Z', '2126-10-29T22:07:13.523Z', '2026-11-22T22:07:13.541Z', '2026-11-22T22:07:13.551Z', NULL, '516b9b2d-2c2a-4ad5-823a-e40ec5e14668');
INSERT INTO public.orchestrator_approvals VALUES (2, 'fca85b97-dcdb-4558-a36b-90feaf987367', '1ac595f0-0591-4b2c-8f7f-e806aae6af93', '2cb17457-08e5-463b-9143-809bdc3a0a07', 'Bash', '{"command":"echo pending","description":"Run a command"}', 'ce43324873b0aa3ac7fc5f51cb0a8fa058846e9c55874c880fa296a8b1db9386', 1, 1, 'pending', NULL, NULL, NULL, NULL, '2026-11-22T22:07:13.616Z', '2126-10-29T22:07:13.616Z', NULL, NULL, NULL, '516b9b2d-2c2a-4ad5-823a-e40ec5e14668');


--
-- Data for Name: orchestrator_audit; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_audit VALUES (1, 'policies', 'ask-first', '', 'controller', '239494f1-1070-48b5-9ea5-ac10935c7ea6', 'controller', '2026-11-22T22:07:12.626Z');
INSERT INTO public.orchestrator_audit VALUES (2, 'policies', 'readers', '', 'controller', '239494f1-1070-48b5-9ea5-ac10935c7ea6', 'controller', '2026-11-22T22:07:12.627Z');
INSERT INTO public.orchestrator_audit VALUES (3, 'agents', '322b71fb-b63b-4865-8deb-bd6b5d851379', '', 'controller', '239494f1-1070-48b5-9ea5-ac10935c7ea6', 'controller', '2026-11-22T22:07:12.630Z');
INSERT INTO public.orchestrator_audit VALUES (4, 'workflows', 'aad8272e-3c06-4ee8-b586-a7287714ddf2', '', 'controller', '239494f1-1070-48b5-9ea5-ac10935c7ea6', 'controller', '2026-11-22T22:07:12.693Z');
INSERT INTO public.orchestrator_audit VALUES (5, 'agents', '1ac595f0-0591-4b2c-8f7f-e806aae6af93', '', 'controller', '239494f1-1070-48b5-9ea5-ac10935c7ea6', 'controller', '2026-11-22T22:07:12.697Z');
INSERT INTO public.orchestrator_audit VALUES (6, 'agents', '585c5f4d-3af2-4212-aa35-be00d6575719', '', 'controller', '239494f1-1070-48b5-9ea5-ac10935c7ea6', 'controller', '2026-11-22T22:07:12.697Z');
INSERT INTO public.orchestrator_audit VALUES (7, 'workflows', 'f7eaface-c5b1-4d4f-ac06-5454b15ac772', '', 'controller', '239494f1-1070-48b5-9ea5-ac10935c7ea6', 'controller', '2026-11-22T22:07:12.845Z');
INSERT INTO public.orchestrator_audit VALUES (8, 'agents', 'f81ab0c5-d3a1-4edb-af13-82074dba8680', '', 'tester', '9b0b690b-d181-4aaf-8eec-0d331cdfe7c6', 'POST /agents', '2026-11-22T22:07:13.010Z');
INSERT INTO public.orchestrator_audit VALUES (9, 'operation', 'orchestrator.triggerWorkflow aad8272e-3c06-4ee8-b586-a7287714ddf2', '', 'tester', 'fe25137c-324a-41a7-9ec4-35b6e6b6ab08', 'POST /workflows/{id}/trigger', '2026-11-22T22:07:13.156Z');
INSERT INTO public.orchestrator_audit VALUES (10, 'agents', '585c5f4d-3af2-4212-aa35-be00d6575719', 'tool_policy.mode', 'tester', 'f3dbb868-93b0-4b02-ad71-911320391077', 'PUT /agents/{id}/policy', '2026-11-22T22:07:13.207Z');
INSERT INTO public.orchestrator_audit VALUES (11, 'agents', '585c5f4d-3af2-4212-aa35-be00d6575719', 'tool_policy.tools[Grep]', 'tester', 'f3dbb868-93b0-4b02-ad71-911320391077', 'PUT /agents/{id}/policy', '2026-11-22T22:07:13.207Z');
INSERT INTO public.orchestrator_audit VALUES (12, 'agents', '585c5f4d-3af2-4212-aa35-be00d6575719', 'tool_policy.tools[Read]', 'tester', 'f3dbb868-93b0-4b02-ad71-911320391077', 'PUT /agents/{id}/policy', '2026-11-22T22:07:13.207Z');
INSERT INTO public.orchestrator_audit VALUES (13, 'agents', '585c5f4d-3af2-4212-aa35-be00d6575719', 'tool_policy.mode', 'controller', '5ad41836-c11d-4a8a-b14b-9f2a928e3e8d', 'controller', '2026-11-22T22:07:13.352Z');
INSERT INTO public.orchestrator_audit VALUES (14, 'agents', '585c5f4d-3af2-4212-aa35-be00d6575719', 'tool_policy.tools[Grep]', 'controller', '5ad41836-c11d-4a8a-b14b-9f2a928e3e8d', 'controller', '2026-11-22T22:07:13.352Z');
INSERT INTO public.orchestrator_audit VALUES (15, 'agents', '585c5f4d-3af2-4212-aa35-be00d6575719', 'tool_policy.tools[Read]', 'controller', '5ad41836-c11d-4a8a-b14b-9f2a928e3e8d', 'controller', '2026-11-22T22:07:13.352Z');
INSERT INTO public.orchestrator_audit VALUES (16, 'agents', '585c5f4d-3af2-4212-aa35-be00d6575719', 'tool_policy.mode', 'tester', '1755ef1b-0ffc-4fce-8d86-61ef7588a9ac', 'PUT /agents/{id}/policy', '2026-11-22T22:07:13.446Z');
INSERT INTO public.orchestrator_audit VALUES (17, 'agents', '585c5f4d-3af2-4212-aa35-be00d6575719', 'tool_policy.tools[Grep]', 'tester', '1755ef1b-0ffc-4fce-8d86-61ef7588a9ac', 'PUT /agents/{id}/policy', '2026-11-22T22:07:13.446Z');
INSERT INTO public.orchestrator_audit VALUES (18, 'agents', '585c5f4d-3af2-4212-aa35-be00d6575719', 'tool_policy.tools[Read]', 'tester', '1755ef1b-0ffc-4fce-8d86-61ef7588a9ac', 'PUT /agents/{id}/policy', '2026-11-22T22:07:13.446Z');
INSERT INTO public.orchestrator_audit VALUES (19, 'operation', 'orchestrator.sendMessage 1ac595f0-0591-4b2c-8f7f-e806aae6af93', '', 'tester', '3e7f88d1-b92c-4ae6-8354-2ff91f68e094', 'POST /agents/{id}/message', '2026-11-22T22:07:13.501Z');
INSERT INTO public.orchestrator_audit VALUES (20, 'operation', 'orchestrator.approve 64349ecf-04c0-49fa-884c-ce85b3435823', '', 'tester', '88a3db40-580c-47fd-9eb2-dabc696c2277', 'POST /approvals/{id}/approve', '2026-11-22T22:07:13.544Z');
INSERT INTO public.orchestrator_audit VALUES (21, 'operation', 'orchestrator.sendMessage 1ac595f0-0591-4b2c-8f7f-e806aae6af93', '', 'tester', '2c4c44bc-73f4-48c3-96eb-6a4dd1058059', 'POST /agents/{id}/message', '2026-11-22T22:07:13.607Z');
INSERT INTO public.orchestrator_audit VALUES (22, 'operation', 'orchestrator.sendMessage 322b71fb-b63b-4865-8deb-bd6b5d851379', '', 'tester', '2a5989c1-b432-4262-ae0b-7e87be08edd1', 'POST /agents/{id}/message', '2026-11-22T22:07:13.633Z');
INSERT INTO public.orchestrator_audit VALUES (23, 'operation', 'orchestrator.sendMessage 322b71fb-b63b-4865-8deb-bd6b5d851379', '', 'tester', '7b853060-74d5-4d16-b09b-36c56b25c18e', 'POST /agents/{id}/message', '2026-11-22T22:07:13.680Z');
INSERT INTO public.orchestrator_audit VALUES (24, 'operation', 'orchestrator.sendMessage 322b71fb-b63b-4865-8deb-bd6b5d851379', '', 'tester', 'c887c576-b6dc-4c61-9989-1873c91cb98b', 'POST /agents/{id}/message', '2026-11-22T22:07:13.693Z');


--
-- Data for Name: orchestrator_chain_ends; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_dispatches; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_dispatches VALUES (1, 'bd3ddadf-b4ab-4e3d-9811-9c21c3edb0c1', 'aad8272e-3c06-4ee8-b586-a7287714ddf2', 'manual:011916ef-d423-4bb0-83b7-df50abf3358c', '322b71fb-b63b-4865-8deb-bd6b5d851379', 'Do a task
', 'completed', 'manual', 1, NULL, 'ECHO(1): Do a task
', '{"input_tokens":3,"output_tokens":5,"cache_read_input_tokens":0,"cache_creation_input_tokens":2,"total_cost_usd":0.0000915,"num_turns":1,"duration_ms":1,"duration_api_ms":5,"result_count":1}', '2026-11-22T22:07:13.147Z', '2026-11-22T22:07:13.157Z', '2026-11-22T22:07:13.187Z', '{"title":"a task","sourceId":"manual:011916ef-d423-4bb0-83b7-df50abf3358c"}', 0);


--
-- Data for Name: orchestrator_firings; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_migrations VALUES (1, '001-core', 1, '2026-11-22 22:07:11.471+00');
INSERT INTO public.orchestrator_migrations VALUES (2, '002-trigger-cursors', 1, '2026-11-22 22:07:11.474+00');
INSERT INTO public.orchestrator_migrations VALUES (3, '003-approval-causes', 1, '2026-11-22 22:07:11.477+00');
INSERT INTO public.orchestrator_migrations VALUES (4, '004-page-indexes', 1, '2026-11-22 22:07:11.482+00');
INSERT INTO public.orchestrator_migrations VALUES (5, '005-bound-decisions', 1, '2026-11-22 22:07:11.484+00');
INSERT INTO public.orchestrator_migrations VALUES (6, '006-restarts', 1, '2026-11-22 22:07:11.487+00');
INSERT INTO public.orchestrator_migrations VALUES (7, '007-version-columns', 1, '2026-11-22 22:07:11.499+00');
INSERT INTO public.orchestrator_migrations VALUES (8, '008-agent-versions', 1, '2026-11-22 22:07:11.505+00');
INSERT INTO public.orchestrator_migrations VALUES (9, '009-durable-tasks', 1, '2026-11-22 22:07:11.51+00');
INSERT INTO public.orchestrator_migrations VALUES (10, '010-queue-tasks', 1, '2026-11-22 22:07:11.518+00');
INSERT INTO public.orchestrator_migrations VALUES (11, '011-seen-tasks', 1, '2026-11-22 22:07:11.52+00');
INSERT INTO public.orchestrator_migrations VALUES (12, '012-chain-ends', 1, '2026-11-22 22:07:11.523+00');
INSERT INTO public.orchestrator_migrations VALUES (13, '013-finished-workflows', 1, '2026-11-22 22:07:11.525+00');
INSERT INTO public.orchestrator_migrations VALUES (14, '014-trigger-names', 1, '2026-11-22 22:07:11.532+00');
INSERT INTO public.orchestrator_migrations VALUES (15, '015-transcript', 1, '2026-11-22 22:07:11.539+00');
INSERT INTO public.orchestrator_migrations VALUES (16, '016-rooms', 1, '2026-11-22 22:07:11.552+00');


--
-- Data for Name: orchestrator_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_migrations_lock VALUES (1, 0);


--
-- Data for Name: orchestrator_policies; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_policies VALUES ('ask-first', 'require_approval', '[]', NULL, 1, '2026-11-22T22:07:12.620Z', '2026-11-22T22:07:12.620Z');
INSERT INTO public.orchestrator_policies VALUES ('readers', 'allow_list', '["Grep","Read"]', NULL, 1, '2026-11-22T22:07:12.621Z', '2026-11-22T22:07:12.621Z');


--
-- Data for Name: orchestrator_prompts; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_prompts VALUES (1, 'e80e18b0-8a16-4d33-be0c-22f874167066', '322b71fb-b63b-4865-8deb-bd6b5d851379', 'dispatch', 1, 'Do a task
', 'bd3ddadf-b4ab-4e3d-9811-9c21c3edb0c1', NULL, 'done', NULL, '2026-11-22T22:07:13.148Z', '2026-11-22T22:07:13.156Z', '2026-11-22T22:07:13.186Z', 'ECHO(1): Do a task
');
INSERT INTO public.orchestrator_prompts VALUES (2, '0f2e95aa-d60e-4e05-9114-dff2038bd472', '1ac595f0-0591-4b2c-8f7f-e806aae6af93', 'message', 1, 'USE_TOOL Bash echo decided', NULL, NULL, 'done', NULL, '2026-11-22T22:07:13.490Z', '2026-11-22T22:07:13.497Z', '2026-11-22T22:07:13.579Z', 'TOOL_OK: decided');
INSERT INTO public.orchestrator_prompts VALUES (3, '46810d5e-5f9f-4358-94ed-440f3fa8d2ac', '1ac595f0-0591-4b2c-8f7f-e806aae6af93', 'message', 1, 'USE_TOOL Bash echo pending', NULL, NULL, 'sent', NULL, '2026-11-22T22:07:13.595Z', '2026-11-22T22:07:13.600Z', NULL, NULL);
INSERT INTO public.orchestrator_prompts VALUES (4, 'fcbbccb1-eeea-484a-adbf-b33bc1498230', '322b71fb-b63b-4865-8deb-bd6b5d851379', 'message', 1, 'a message that is done', NULL, NULL, 'done', NULL, '2026-11-22T22:07:13.626Z', '2026-11-22T22:07:13.631Z', '2026-11-22T22:07:13.651Z', 'ECHO(3): a message that is done');
INSERT INTO public.orchestrator_prompts VALUES (5, 'a4220c31-651a-4e95-af4f-e851d6bed798', '322b71fb-b63b-4865-8deb-bd6b5d851379', 'message', 1, 'SLOW 600000 a turn that is cut short', NULL, NULL, 'sent', NULL, '2026-11-22T22:07:13.667Z', '2026-11-22T22:07:13.677Z', NULL, NULL);
INSERT INTO public.orchestrator_prompts VALUES (6, 'a0ac6672-0af8-404e-906d-7590bf8abdf1', '322b71fb-b63b-4865-8deb-bd6b5d851379', 'message', 1, 'a message that waits', NULL, NULL, 'queued', NULL, '2026-11-22T22:07:13.688Z', NULL, NULL, NULL);


--
-- Data for Name: orchestrator_queue_tasks; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_room_cursors; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_room_members; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_room_prompts; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_seen_tasks; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_sessions; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_sessions VALUES ('585c5f4d-3af2-4212-aa35-be00d6575719', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, '2026-11-22T22:07:12.695Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('f81ab0c5-d3a1-4edb-af13-82074dba8680', 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, '2026-11-22T22:07:13.009Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('1ac595f0-0591-4b2c-8f7f-e806aae6af93', 1, 83, 28, 7, 42, 0.0008286, 2, 68, 28, 1, '2026-11-22T22:07:12.694Z', NULL);
INSERT INTO public.orchestrator_sessions VALUES ('322b71fb-b63b-4865-8deb-bd6b5d851379', 1, 21, 13, 3, 11, 0.00030015, 2, 1, 13, 2, '2026-11-22T22:07:12.628Z', NULL);


--
-- Data for Name: orchestrator_transcript; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_transcript VALUES (1, '322b71fb-b63b-4865-8deb-bd6b5d851379', 'dispatch', 'dispatch bd3ddadf-b4ab-4e3d-9811-9c21c3edb0c1 pending', '{"dispatch":{"id":"bd3ddadf-b4ab-4e3d-9811-9c21c3edb0c1","workflow_id":"aad8272e-3c06-4ee8-b586-a7287714ddf2","source_id":"manual:011916ef-d423-4bb0-83b7-df50abf3358c","agent_id":"322b71fb-b63b-4865-8deb-bd6b5d851379","prompt_sent":"Do a task\n","status":"pending","trigger_type":"manual","attempt":1,"error":null,"result":null,"usage":null,"created_at":"2026-11-22T22:07:13.147Z","dispatched_at":null,"completed_at":null}}', '2026-11-22T22:07:13.151Z');
INSERT INTO public.orchestrator_transcript VALUES (2, '322b71fb-b63b-4865-8deb-bd6b5d851379', 'dispatch', 'dispatch bd3ddadf-b4ab-4e3d-9811-9c21c3edb0c1 dispatched', '{"dispatch":{"id":"bd3ddadf-b4ab-4e3d-9811-9c21c3edb0c1","workflow_id":"aad8272e-3c06-4ee8-b586-a7287714ddf2","source_id":"manual:011916ef-d423-4bb0-83b7-df50abf3358c","agent_id":"322b71fb-b63b-4865-8deb-bd6b5d851379","prompt_sent":"Do a task\n","status":"dispatched","trigger_type":"manual","attempt":1,"error":null,"result":null,"usage":null,"created_at":"2026-11-22T22:07:13.147Z","dispatched_at":"2026-11-22T22:07:13.157Z","completed_at":null}}', '2026-11-22T22:07:13.159Z');
INSERT INTO public.orchestrator_transcript VALUES (3, '322b71fb-b63b-4865-8deb-bd6b5d851379', 'assistant', 'ECHO(1): Do a task
', NULL, '2026-11-22T22:07:13.169Z');
INSERT INTO public.orchestrator_transcript VALUES (4, '322b71fb-b63b-4865-8deb-bd6b5d851379', 'result', 'ECHO(1): Do a task
', NULL, '2026-11-22T22:07:13.174Z');
INSERT INTO public.orchestrator_transcript VALUES (5, '322b71fb-b63b-4865-8deb-bd6b5d851379', 'dispatch', 'dispatch bd3ddadf-b4ab-4e3d-9811-9c21c3edb0c1 completed', '{"dispatch":{"id":"bd3ddadf-b4ab-4e3d-9811-9c21c3edb0c1","workflow_id":"aad8272e-3c06-4ee8-b586-a7287714ddf2","source_id":"manual:011916ef-d423-4bb0-83b7-df50abf3358c","agent_id":"322b71fb-b63b-4865-8deb-bd6b5d851379","prompt_sent":"Do a task\n","status":"completed","trigger_type":"manual","attempt":1,"error":null,"result":"ECHO(1): Do a task\n","usage":{"input_tokens":3,"output_tokens":5,"cache_read_input_tokens":0,"cache_creation_input_tokens":2,"total_cost_usd":0.0000915,"num_turns":1,"duration_ms":1,"duration_api_ms":5,"result_count":1},"created_at":"2026-11-22T22:07:13.147Z","dispatched_at":"2026-11-22T22:07:13.157Z","completed_at":"2026-11-22T22:07:13.187Z"}}', '2026-11-22T22:07:13.191Z');
INSERT INTO public.orchestrator_transcript VALUES (6, '1ac595f0-0591-4b2c-8f7f-e806aae6af93', 'assistant', 'Calling a tool.', NULL, '2026-11-22T22:07:13.503Z');
INSERT INTO public.orchestrator_transcript VALUES (7, '1ac595f0-0591-4b2c-8f7f-e806aae6af93', 'assistant', 'Bash(echo decided)', NULL, '2026-11-22T22:07:13.503Z');
INSERT INTO public.orchestrator_transcript VALUES (8, '1ac595f0-0591-4b2c-8f7f-e806aae6af93', 'pending_approval', 'Bash(echo decided)', '{"approval":{"id":"64349ecf-04c0-49fa-884c-ce85b3435823","agent_id":"1ac595f0-0591-4b2c-8f7f-e806aae6af93","request_id":"c3cdce67-b44c-400a-9187-2b5907736526","tool_name":"Bash","tool_input":{"command":"echo decided","description":"Run a command"},"status":"pending","created_at":"2026-11-22T22:07:13.523Z","expires_at":"2126-10-29T22:07:13.523Z","decided_at":null,"decided_by":null,"reason":null}}', '2026-11-22T22:07:13.526Z');
INSERT INTO public.orchestrator_transcript VALUES (9, '1ac595f0-0591-4b2c-8f7f-e806aae6af93', 'approval_decided', 'Bash(echo decided): approved', '{"approval":{"id":"64349ecf-04c0-49fa-884c-ce85b3435823","agent_id":"1ac595f0-0591-4b2c-8f7f-e806aae6af93","request_id":"c3cdce67-b44c-400a-9187-2b5907736526","tool_name":"Bash","tool_input":{"command":"echo decided","description":"Run a command"},"status":"approved","created_at":"2026-11-22T22:07:13.523Z","expires_at":"2126-10-29T22:07:13.523Z","decided_at":"2026-11-22T22:07:13.541Z","decided_by":"tester","reason":null}}', '2026-11-22T22:07:13.543Z');
INSERT INTO public.orchestrator_transcript VALUES (10, '1ac595f0-0591-4b2c-8f7f-e806aae6af93', 'assistant', 'TOOL_OK: decided', NULL, '2026-11-22T22:07:13.572Z');
INSERT INTO public.orchestrator_transcript VALUES (11, '1ac595f0-0591-4b2c-8f7f-e806aae6af93', 'result', 'TOOL_OK: decided', NULL, '2026-11-22T22:07:13.572Z');
INSERT INTO public.orchestrator_transcript VALUES (12, '1ac595f0-0591-4b2c-8f7f-e806aae6af93', 'assistant', 'Calling a tool.', NULL, '2026-11-22T22:07:13.606Z');
INSERT INTO public.orchestrator_transcript VALUES (13, '1ac595f0-0591-4b2c-8f7f-e806aae6af93', 'assistant', 'Bash(echo pending)', NULL, '2026-11-22T22:07:13.606Z');
INSERT INTO public.orchestrator_transcript VALUES (14, '1ac595f0-0591-4b2c-8f7f-e806aae6af93', 'pending_approval', 'Bash(echo pending)', '{"approval":{"id":"fca85b97-dcdb-4558-a36b-90feaf987367","agent_id":"1ac595f0-0591-4b2c-8f7f-e806aae6af93","request_id":"2cb17457-08e5-463b-9143-809bdc3a0a07","tool_name":"Bash","tool_input":{"command":"echo pending","description":"Run a command"},"status":"pending","created_at":"2026-11-22T22:07:13.616Z","expires_at":"2126-10-29T22:07:13.616Z","decided_at":null,"decided_by":null,"reason":null}}', '2026-11-22T22:07:13.620Z');
INSERT INTO public.orchestrator_transcript VALUES (15, '322b71fb-b63b-4865-8deb-bd6b5d851379', 'assistant', 'ECHO(3): a message that is done', NULL, '2026-11-22T22:07:13.639Z');
INSERT INTO public.orchestrator_transcript VALUES (16, '322b71fb-b63b-4865-8deb-bd6b5d851379', 'result', 'ECHO(3): a message that is done', NULL, '2026-11-22T22:07:13.640Z');


--
-- Data for Name: orchestrator_trigger_cursors; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: orchestrator_workflows; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.orchestrator_workflows VALUES (1, 'aad8272e-3c06-4ee8-b586-a7287714ddf2', 'by-hand', '322b71fb-b63b-4865-8deb-bd6b5d851379', '{"type":"manual"}', 'Do {{title}}
', 60, true, '{"mode":"auto"}', 1, '2026-11-22T22:07:12.691Z', '2026-11-22T22:07:12.691Z', NULL, false);
INSERT INTO public.orchestrator_workflows VALUES (2, 'f7eaface-c5b1-4d4f-ac06-5454b15ac772', 'hook', '585c5f4d-3af2-4212-aa35-be00d6575719', '{"type":"webhook","secret":{"$sealed":"sealed:v1:Qs4jWjaj7Xskc4XTpqZWPgiZJEsR9q3pq+qdxKapc+ETQnC3dp3x"}}', 'Read {{title}}
', 60, true, '{"mode":"auto"}', 1, '2026-11-22T22:07:12.843Z', '2026-11-22T22:07:12.843Z', NULL, false);


--
-- Data for Name: wrap_audit; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: wrap_launches; Type: TABLE DATA; Schema: public; Owner: -
--



--
-- Data for Name: wrap_migrations; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.wrap_migrations VALUES (1, '001-launches', 1, '2026-11-22 22:07:12.019+00');
INSERT INTO public.wrap_migrations VALUES (2, '002-audit', 1, '2026-11-22 22:07:12.025+00');


--
-- Data for Name: wrap_migrations_lock; Type: TABLE DATA; Schema: public; Owner: -
--

INSERT INTO public.wrap_migrations_lock VALUES (1, 0);


--
-- Name: ask_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ask_audit_seq_seq', 1, false);


--
-- Name: ask_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ask_migrations_id_seq', 2, true);


--
-- Name: ask_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ask_migrations_lock_index_seq', 1, true);


--
-- Name: ask_questions_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.ask_questions_seq_seq', 1, false);


--
-- Name: communicate_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_audit_seq_seq', 1, false);


--
-- Name: communicate_leftovers_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_leftovers_seq_seq', 1, false);


--
-- Name: communicate_locks_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_locks_seq_seq', 1, false);


--
-- Name: communicate_messages_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_messages_seq_seq', 1, false);


--
-- Name: communicate_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_migrations_id_seq', 3, true);


--
-- Name: communicate_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_migrations_lock_index_seq', 1, true);


--
-- Name: communicate_participants_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_participants_seq_seq', 1, false);


--
-- Name: communicate_rooms_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.communicate_rooms_seq_seq', 1, false);


--
-- Name: controller_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_audit_seq_seq', 1, true);


--
-- Name: controller_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_migrations_id_seq', 11, true);


--
-- Name: controller_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_migrations_lock_index_seq', 1, true);


--
-- Name: controller_sent_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.controller_sent_seq_seq', 1, false);


--
-- Name: docstore_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.docstore_audit_seq_seq', 1, false);


--
-- Name: docstore_documents_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.docstore_documents_seq_seq', 1, false);


--
-- Name: docstore_memories_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.docstore_memories_seq_seq', 1, false);


--
-- Name: docstore_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.docstore_migrations_id_seq', 6, true);


--
-- Name: docstore_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.docstore_migrations_lock_index_seq', 1, true);


--
-- Name: host_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.host_migrations_id_seq', 2, true);


--
-- Name: host_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.host_migrations_lock_index_seq', 1, true);


--
-- Name: index_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.index_audit_seq_seq', 1, false);


--
-- Name: index_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.index_migrations_id_seq', 3, true);


--
-- Name: index_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.index_migrations_lock_index_seq', 1, true);


--
-- Name: index_repositories_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.index_repositories_seq_seq', 1, false);


--
-- Name: monitor_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.monitor_audit_seq_seq', 1, false);


--
-- Name: monitor_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.monitor_migrations_id_seq', 1, true);


--
-- Name: monitor_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.monitor_migrations_lock_index_seq', 1, true);


--
-- Name: notify_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.notify_audit_seq_seq', 1, false);


--
-- Name: notify_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.notify_migrations_id_seq', 3, true);


--
-- Name: notify_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.notify_migrations_lock_index_seq', 1, true);


--
-- Name: notify_notifications_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.notify_notifications_seq_seq', 1, false);


--
-- Name: notify_outbox_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.notify_outbox_seq_seq', 1, false);


--
-- Name: orchestrator_agents_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_agents_seq_seq', 4, true);


--
-- Name: orchestrator_approvals_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_approvals_seq_seq', 2, true);


--
-- Name: orchestrator_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_audit_seq_seq', 24, true);


--
-- Name: orchestrator_chain_ends_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_chain_ends_seq_seq', 1, false);


--
-- Name: orchestrator_dispatches_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_dispatches_seq_seq', 1, true);


--
-- Name: orchestrator_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_migrations_id_seq', 16, true);


--
-- Name: orchestrator_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_migrations_lock_index_seq', 1, true);


--
-- Name: orchestrator_prompts_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_prompts_seq_seq', 6, true);


--
-- Name: orchestrator_queue_tasks_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_queue_tasks_seq_seq', 1, false);


--
-- Name: orchestrator_room_prompts_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_room_prompts_seq_seq', 1, false);


--
-- Name: orchestrator_transcript_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_transcript_seq_seq', 16, true);


--
-- Name: orchestrator_workflows_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.orchestrator_workflows_seq_seq', 2, true);


--
-- Name: wrap_audit_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.wrap_audit_seq_seq', 1, false);


--
-- Name: wrap_launches_seq_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.wrap_launches_seq_seq', 1, false);


--
-- Name: wrap_migrations_id_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.wrap_migrations_id_seq', 2, true);


--
-- Name: wrap_migrations_lock_index_seq; Type: SEQUENCE SET; Schema: public; Owner: -
--

SELECT pg_catalog.setval('public.wrap_migrations_lock_index_seq', 1, true);


--
-- Name: ask_audit ask_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_audit
    ADD CONSTRAINT ask_audit_pkey PRIMARY KEY (seq);


--
-- Name: ask_migrations_lock ask_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_migrations_lock
    ADD CONSTRAINT ask_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: ask_migrations ask_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_migrations
    ADD CONSTRAINT ask_migrations_pkey PRIMARY KEY (id);


--
-- Name: ask_questions ask_questions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_questions
    ADD CONSTRAINT ask_questions_pkey PRIMARY KEY (seq);


--
-- Name: ask_questions ask_questions_question_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.ask_questions
    ADD CONSTRAINT ask_questions_question_id_unique UNIQUE (question_id);


--
-- Name: communicate_audit communicate_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_audit
    ADD CONSTRAINT communicate_audit_pkey PRIMARY KEY (seq);


--
-- Name: communicate_leftovers communicate_leftovers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_leftovers
    ADD CONSTRAINT communicate_leftovers_pkey PRIMARY KEY (seq);


--
-- Name: communicate_leftovers communicate_leftovers_room_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_leftovers
    ADD CONSTRAINT communicate_leftovers_room_id_unique UNIQUE (room_id);


--
-- Name: communicate_locks communicate_locks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_locks
    ADD CONSTRAINT communicate_locks_pkey PRIMARY KEY (seq);


--
-- Name: communicate_locks communicate_locks_room_id_holder_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_locks
    ADD CONSTRAINT communicate_locks_room_id_holder_unique UNIQUE (room_id, holder);


--
-- Name: communicate_messages communicate_messages_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_messages
    ADD CONSTRAINT communicate_messages_id_unique UNIQUE (id);


--
-- Name: communicate_messages communicate_messages_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_messages
    ADD CONSTRAINT communicate_messages_pkey PRIMARY KEY (seq);


--
-- Name: communicate_messages communicate_messages_room_id_number_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_messages
    ADD CONSTRAINT communicate_messages_room_id_number_unique UNIQUE (room_id, number);


--
-- Name: communicate_migrations_lock communicate_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_migrations_lock
    ADD CONSTRAINT communicate_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: communicate_migrations communicate_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_migrations
    ADD CONSTRAINT communicate_migrations_pkey PRIMARY KEY (id);


--
-- Name: communicate_participants communicate_participants_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_participants
    ADD CONSTRAINT communicate_participants_id_unique UNIQUE (id);


--
-- Name: communicate_participants communicate_participants_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_participants
    ADD CONSTRAINT communicate_participants_pkey PRIMARY KEY (seq);


--
-- Name: communicate_participants communicate_participants_room_id_identifier_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_participants
    ADD CONSTRAINT communicate_participants_room_id_identifier_unique UNIQUE (room_id, identifier);


--
-- Name: communicate_rooms communicate_rooms_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_rooms
    ADD CONSTRAINT communicate_rooms_id_unique UNIQUE (id);


--
-- Name: communicate_rooms communicate_rooms_name_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_rooms
    ADD CONSTRAINT communicate_rooms_name_unique UNIQUE (name);


--
-- Name: communicate_rooms communicate_rooms_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.communicate_rooms
    ADD CONSTRAINT communicate_rooms_pkey PRIMARY KEY (seq);


--
-- Name: controller_audit controller_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_audit
    ADD CONSTRAINT controller_audit_pkey PRIMARY KEY (seq);


--
-- Name: controller_cursors controller_cursors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_cursors
    ADD CONSTRAINT controller_cursors_pkey PRIMARY KEY (kind);


--
-- Name: controller_drift controller_drift_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_drift
    ADD CONSTRAINT controller_drift_pkey PRIMARY KEY (id);


--
-- Name: controller_intents controller_intents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_intents
    ADD CONSTRAINT controller_intents_pkey PRIMARY KEY (kind, name);


--
-- Name: controller_inventory controller_inventory_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_inventory
    ADD CONSTRAINT controller_inventory_pkey PRIMARY KEY (kind, name);


--
-- Name: controller_migrations_lock controller_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations_lock
    ADD CONSTRAINT controller_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: controller_migrations controller_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_migrations
    ADD CONSTRAINT controller_migrations_pkey PRIMARY KEY (id);


--
-- Name: controller_runs controller_runs_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_runs
    ADD CONSTRAINT controller_runs_pkey PRIMARY KEY (id);


--
-- Name: controller_sent controller_sent_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_sent
    ADD CONSTRAINT controller_sent_pkey PRIMARY KEY (seq);


--
-- Name: controller_sources controller_sources_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_sources
    ADD CONSTRAINT controller_sources_pkey PRIMARY KEY (name);


--
-- Name: controller_steps controller_steps_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_steps
    ADD CONSTRAINT controller_steps_pkey PRIMARY KEY (run_id, seq);


--
-- Name: docstore_audit docstore_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_audit
    ADD CONSTRAINT docstore_audit_pkey PRIMARY KEY (seq);


--
-- Name: docstore_document_words docstore_document_words_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_document_words
    ADD CONSTRAINT docstore_document_words_pkey PRIMARY KEY (rowid);


--
-- Name: docstore_documents docstore_documents_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_documents
    ADD CONSTRAINT docstore_documents_id_unique UNIQUE (id);


--
-- Name: docstore_documents docstore_documents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_documents
    ADD CONSTRAINT docstore_documents_pkey PRIMARY KEY (seq);


--
-- Name: docstore_memories docstore_memories_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_memories
    ADD CONSTRAINT docstore_memories_id_unique UNIQUE (id);


--
-- Name: docstore_memories docstore_memories_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_memories
    ADD CONSTRAINT docstore_memories_pkey PRIMARY KEY (seq);


--
-- Name: docstore_memory_tags docstore_memory_tags_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_memory_tags
    ADD CONSTRAINT docstore_memory_tags_pkey PRIMARY KEY (tag, memory);


--
-- Name: docstore_memory_vectors docstore_memory_vectors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_memory_vectors
    ADD CONSTRAINT docstore_memory_vectors_pkey PRIMARY KEY (memory);


--
-- Name: docstore_memory_viewers docstore_memory_viewers_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_memory_viewers
    ADD CONSTRAINT docstore_memory_viewers_pkey PRIMARY KEY (viewer, memory);


--
-- Name: docstore_memory_words docstore_memory_words_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_memory_words
    ADD CONSTRAINT docstore_memory_words_pkey PRIMARY KEY (rowid);


--
-- Name: docstore_migrations_lock docstore_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_migrations_lock
    ADD CONSTRAINT docstore_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: docstore_migrations docstore_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_migrations
    ADD CONSTRAINT docstore_migrations_pkey PRIMARY KEY (id);


--
-- Name: docstore_tags docstore_tags_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.docstore_tags
    ADD CONSTRAINT docstore_tags_pkey PRIMARY KEY (tag, document);


--
-- Name: host_leases host_leases_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_leases
    ADD CONSTRAINT host_leases_pkey PRIMARY KEY (name);


--
-- Name: host_migrations_lock host_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_migrations_lock
    ADD CONSTRAINT host_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: host_migrations host_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.host_migrations
    ADD CONSTRAINT host_migrations_pkey PRIMARY KEY (id);


--
-- Name: index_audit index_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_audit
    ADD CONSTRAINT index_audit_pkey PRIMARY KEY (seq);


--
-- Name: index_migrations_lock index_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_migrations_lock
    ADD CONSTRAINT index_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: index_migrations index_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_migrations
    ADD CONSTRAINT index_migrations_pkey PRIMARY KEY (id);


--
-- Name: index_repositories index_repositories_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_repositories
    ADD CONSTRAINT index_repositories_id_unique UNIQUE (id);


--
-- Name: index_repositories index_repositories_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_repositories
    ADD CONSTRAINT index_repositories_pkey PRIMARY KEY (seq);


--
-- Name: index_repositories index_repositories_root_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.index_repositories
    ADD CONSTRAINT index_repositories_root_unique UNIQUE (root);


--
-- Name: monitor_audit monitor_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_audit
    ADD CONSTRAINT monitor_audit_pkey PRIMARY KEY (seq);


--
-- Name: monitor_migrations_lock monitor_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_migrations_lock
    ADD CONSTRAINT monitor_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: monitor_migrations monitor_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.monitor_migrations
    ADD CONSTRAINT monitor_migrations_pkey PRIMARY KEY (id);


--
-- Name: notify_audit notify_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_audit
    ADD CONSTRAINT notify_audit_pkey PRIMARY KEY (seq);


--
-- Name: notify_migrations_lock notify_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_migrations_lock
    ADD CONSTRAINT notify_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: notify_migrations notify_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_migrations
    ADD CONSTRAINT notify_migrations_pkey PRIMARY KEY (id);


--
-- Name: notify_notifications notify_notifications_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_notifications
    ADD CONSTRAINT notify_notifications_id_unique UNIQUE (id);


--
-- Name: notify_notifications notify_notifications_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_notifications
    ADD CONSTRAINT notify_notifications_pkey PRIMARY KEY (seq);


--
-- Name: notify_outbox notify_outbox_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_outbox
    ADD CONSTRAINT notify_outbox_id_unique UNIQUE (id);


--
-- Name: notify_outbox notify_outbox_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.notify_outbox
    ADD CONSTRAINT notify_outbox_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_agents orchestrator_agents_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_agents
    ADD CONSTRAINT orchestrator_agents_id_unique UNIQUE (id);


--
-- Name: orchestrator_agents orchestrator_agents_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_agents
    ADD CONSTRAINT orchestrator_agents_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_approvals orchestrator_approvals_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_approvals
    ADD CONSTRAINT orchestrator_approvals_id_unique UNIQUE (id);


--
-- Name: orchestrator_approvals orchestrator_approvals_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_approvals
    ADD CONSTRAINT orchestrator_approvals_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_audit orchestrator_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_audit
    ADD CONSTRAINT orchestrator_audit_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_chain_ends orchestrator_chain_ends_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_chain_ends
    ADD CONSTRAINT orchestrator_chain_ends_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_chain_ends orchestrator_chain_ends_workflow_id_dispatch_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_chain_ends
    ADD CONSTRAINT orchestrator_chain_ends_workflow_id_dispatch_id_unique UNIQUE (workflow_id, dispatch_id);


--
-- Name: orchestrator_dispatches orchestrator_dispatches_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_dispatches
    ADD CONSTRAINT orchestrator_dispatches_id_unique UNIQUE (id);


--
-- Name: orchestrator_dispatches orchestrator_dispatches_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_dispatches
    ADD CONSTRAINT orchestrator_dispatches_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_firings orchestrator_firings_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_firings
    ADD CONSTRAINT orchestrator_firings_pkey PRIMARY KEY (workflow_id);


--
-- Name: orchestrator_migrations_lock orchestrator_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations_lock
    ADD CONSTRAINT orchestrator_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: orchestrator_migrations orchestrator_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_migrations
    ADD CONSTRAINT orchestrator_migrations_pkey PRIMARY KEY (id);


--
-- Name: orchestrator_policies orchestrator_policies_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_policies
    ADD CONSTRAINT orchestrator_policies_pkey PRIMARY KEY (name);


--
-- Name: orchestrator_prompts orchestrator_prompts_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_prompts
    ADD CONSTRAINT orchestrator_prompts_id_unique UNIQUE (id);


--
-- Name: orchestrator_prompts orchestrator_prompts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_prompts
    ADD CONSTRAINT orchestrator_prompts_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_queue_tasks orchestrator_queue_tasks_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_queue_tasks
    ADD CONSTRAINT orchestrator_queue_tasks_id_unique UNIQUE (id);


--
-- Name: orchestrator_queue_tasks orchestrator_queue_tasks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_queue_tasks
    ADD CONSTRAINT orchestrator_queue_tasks_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_room_cursors orchestrator_room_cursors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_room_cursors
    ADD CONSTRAINT orchestrator_room_cursors_pkey PRIMARY KEY (room_id);


--
-- Name: orchestrator_room_members orchestrator_room_members_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_room_members
    ADD CONSTRAINT orchestrator_room_members_pkey PRIMARY KEY (agent_id, room);


--
-- Name: orchestrator_room_prompts orchestrator_room_prompts_agent_id_message_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_room_prompts
    ADD CONSTRAINT orchestrator_room_prompts_agent_id_message_id_unique UNIQUE (agent_id, message_id);


--
-- Name: orchestrator_room_prompts orchestrator_room_prompts_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_room_prompts
    ADD CONSTRAINT orchestrator_room_prompts_id_unique UNIQUE (id);


--
-- Name: orchestrator_room_prompts orchestrator_room_prompts_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_room_prompts
    ADD CONSTRAINT orchestrator_room_prompts_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_room_prompts orchestrator_room_prompts_prompt_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_room_prompts
    ADD CONSTRAINT orchestrator_room_prompts_prompt_id_unique UNIQUE (prompt_id);


--
-- Name: orchestrator_seen_tasks orchestrator_seen_tasks_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_seen_tasks
    ADD CONSTRAINT orchestrator_seen_tasks_pkey PRIMARY KEY (workflow_id, name);


--
-- Name: orchestrator_sessions orchestrator_sessions_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_sessions
    ADD CONSTRAINT orchestrator_sessions_pkey PRIMARY KEY (agent_id, number);


--
-- Name: orchestrator_transcript orchestrator_transcript_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_transcript
    ADD CONSTRAINT orchestrator_transcript_pkey PRIMARY KEY (seq);


--
-- Name: orchestrator_trigger_cursors orchestrator_trigger_cursors_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_trigger_cursors
    ADD CONSTRAINT orchestrator_trigger_cursors_pkey PRIMARY KEY (workflow_id);


--
-- Name: orchestrator_workflows orchestrator_workflows_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows
    ADD CONSTRAINT orchestrator_workflows_id_unique UNIQUE (id);


--
-- Name: orchestrator_workflows orchestrator_workflows_name_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows
    ADD CONSTRAINT orchestrator_workflows_name_unique UNIQUE (name);


--
-- Name: orchestrator_workflows orchestrator_workflows_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.orchestrator_workflows
    ADD CONSTRAINT orchestrator_workflows_pkey PRIMARY KEY (seq);


--
-- Name: wrap_audit wrap_audit_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_audit
    ADD CONSTRAINT wrap_audit_pkey PRIMARY KEY (seq);


--
-- Name: wrap_launches wrap_launches_id_unique; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_launches
    ADD CONSTRAINT wrap_launches_id_unique UNIQUE (id);


--
-- Name: wrap_launches wrap_launches_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_launches
    ADD CONSTRAINT wrap_launches_pkey PRIMARY KEY (seq);


--
-- Name: wrap_migrations_lock wrap_migrations_lock_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_migrations_lock
    ADD CONSTRAINT wrap_migrations_lock_pkey PRIMARY KEY (index);


--
-- Name: wrap_migrations wrap_migrations_pkey; Type: CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.wrap_migrations
    ADD CONSTRAINT wrap_migrations_pkey PRIMARY KEY (id);


--
-- Name: ask_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ask_audit_kind_resource_id_index ON public.ask_audit USING btree (kind, resource_id);


--
-- Name: ask_questions_status_expires_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ask_questions_status_expires_at_index ON public.ask_questions USING btree (status, expires_at);


--
-- Name: ask_questions_status_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX ask_questions_status_seq_index ON public.ask_questions USING btree (status, seq);


--
-- Name: communicate_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX communicate_audit_kind_resource_id_index ON public.communicate_audit USING btree (kind, resource_id);


--
-- Name: communicate_locks_expires_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX communicate_locks_expires_at_index ON public.communicate_locks USING btree (expires_at);


--
-- Name: communicate_participants_identifier_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX communicate_participants_identifier_seq_index ON public.communicate_participants USING btree (identifier, seq);


--
-- Name: communicate_rooms_room_type_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX communicate_rooms_room_type_seq_index ON public.communicate_rooms USING btree (room_type, seq);


--
-- Name: controller_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_audit_kind_resource_id_index ON public.controller_audit USING btree (kind, resource_id);


--
-- Name: controller_drift_kind_name_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_kind_name_index ON public.controller_drift USING btree (kind, name);


--
-- Name: controller_drift_kind_name_last_seen_id_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_kind_name_last_seen_id_page ON public.controller_drift USING btree (kind, name, last_seen, id);


--
-- Name: controller_drift_last_seen_id_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_last_seen_id_page ON public.controller_drift USING btree (last_seen, id);


--
-- Name: controller_drift_last_seen_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_last_seen_index ON public.controller_drift USING btree (last_seen);


--
-- Name: controller_drift_resolution_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_resolution_index ON public.controller_drift USING btree (resolution);


--
-- Name: controller_drift_resolution_last_seen_id_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_drift_resolution_last_seen_id_page ON public.controller_drift USING btree (resolution, last_seen, id);


--
-- Name: controller_inventory_source_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_inventory_source_index ON public.controller_inventory USING btree (source);


--
-- Name: controller_runs_has_steps_started_at_id_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_runs_has_steps_started_at_id_page ON public.controller_runs USING btree (has_steps, started_at, id);


--
-- Name: controller_runs_started_at_id_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_runs_started_at_id_page ON public.controller_runs USING btree (started_at, id);


--
-- Name: controller_runs_started_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_runs_started_at_index ON public.controller_runs USING btree (started_at);


--
-- Name: controller_runs_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_runs_status_index ON public.controller_runs USING btree (status);


--
-- Name: controller_sent_source_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_sent_source_index ON public.controller_sent USING btree (source);


--
-- Name: controller_steps_kind_name_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX controller_steps_kind_name_index ON public.controller_steps USING btree (kind, name);


--
-- Name: docstore_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_audit_kind_resource_id_index ON public.docstore_audit USING btree (kind, resource_id);


--
-- Name: docstore_document_words_words; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_document_words_words ON public.docstore_document_words USING gin (words);


--
-- Name: docstore_documents_created_at_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_documents_created_at_id_index ON public.docstore_documents USING btree (created_at, id);


--
-- Name: docstore_documents_created_by_created_at_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_documents_created_by_created_at_id_index ON public.docstore_documents USING btree (created_by, created_at, id);


--
-- Name: docstore_memories_created_by_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_memories_created_by_seq_index ON public.docstore_memories USING btree (created_by, seq);


--
-- Name: docstore_memories_visibility_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_memories_visibility_seq_index ON public.docstore_memories USING btree (visibility, seq);


--
-- Name: docstore_memory_tags_memory_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_memory_tags_memory_index ON public.docstore_memory_tags USING btree (memory);


--
-- Name: docstore_memory_vectors_model_memory_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_memory_vectors_model_memory_index ON public.docstore_memory_vectors USING btree (model, memory);


--
-- Name: docstore_memory_viewers_memory_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_memory_viewers_memory_index ON public.docstore_memory_viewers USING btree (memory);


--
-- Name: docstore_memory_words_words; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_memory_words_words ON public.docstore_memory_words USING gin (words);


--
-- Name: docstore_tags_document_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX docstore_tags_document_index ON public.docstore_tags USING btree (document);


--
-- Name: index_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX index_audit_kind_resource_id_index ON public.index_audit USING btree (kind, resource_id);


--
-- Name: index_repositories_name_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX index_repositories_name_index ON public.index_repositories USING btree (name);


--
-- Name: monitor_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX monitor_audit_kind_resource_id_index ON public.monitor_audit USING btree (kind, resource_id);


--
-- Name: notify_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_audit_kind_resource_id_index ON public.notify_audit USING btree (kind, resource_id);


--
-- Name: notify_notifications_due_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_notifications_due_at_index ON public.notify_notifications USING btree (due_at);


--
-- Name: notify_notifications_open_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_notifications_open_seq_index ON public.notify_notifications USING btree (open, seq);


--
-- Name: notify_notifications_open_urgency_seq_due_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_notifications_open_urgency_seq_due_at_index ON public.notify_notifications USING btree (open, urgency, seq, due_at);


--
-- Name: notify_notifications_status_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_notifications_status_seq_index ON public.notify_notifications USING btree (status, seq);


--
-- Name: notify_outbox_channel_digest_created_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_outbox_channel_digest_created_at_index ON public.notify_outbox USING btree (channel, digest, created_at);


--
-- Name: notify_outbox_channel_status_due_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_outbox_channel_status_due_at_index ON public.notify_outbox USING btree (channel, status, due_at);


--
-- Name: notify_outbox_ended_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_outbox_ended_at_index ON public.notify_outbox USING btree (ended_at);


--
-- Name: notify_outbox_status_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX notify_outbox_status_seq_index ON public.notify_outbox USING btree (status, seq);


--
-- Name: orchestrator_agents_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_agents_status_index ON public.orchestrator_agents USING btree (status);


--
-- Name: orchestrator_approvals_agent_id_request_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_agent_id_request_id_index ON public.orchestrator_approvals USING btree (agent_id, request_id);


--
-- Name: orchestrator_approvals_agent_id_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_agent_id_seq_page ON public.orchestrator_approvals USING btree (agent_id, seq);


--
-- Name: orchestrator_approvals_agent_id_status_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_agent_id_status_seq_page ON public.orchestrator_approvals USING btree (agent_id, status, seq);


--
-- Name: orchestrator_approvals_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_status_index ON public.orchestrator_approvals USING btree (status);


--
-- Name: orchestrator_approvals_status_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_approvals_status_seq_page ON public.orchestrator_approvals USING btree (status, seq);


--
-- Name: orchestrator_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_audit_kind_resource_id_index ON public.orchestrator_audit USING btree (kind, resource_id);


--
-- Name: orchestrator_dispatches_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_dispatches_status_index ON public.orchestrator_dispatches USING btree (status);


--
-- Name: orchestrator_dispatches_workflow_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_dispatches_workflow_id_index ON public.orchestrator_dispatches USING btree (workflow_id);


--
-- Name: orchestrator_dispatches_workflow_id_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_dispatches_workflow_id_seq_page ON public.orchestrator_dispatches USING btree (workflow_id, seq);


--
-- Name: orchestrator_dispatches_workflow_id_status_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_dispatches_workflow_id_status_seq_page ON public.orchestrator_dispatches USING btree (workflow_id, status, seq);


--
-- Name: orchestrator_prompts_agent_id_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_prompts_agent_id_seq_page ON public.orchestrator_prompts USING btree (agent_id, seq);


--
-- Name: orchestrator_prompts_agent_id_status_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_prompts_agent_id_status_index ON public.orchestrator_prompts USING btree (agent_id, status);


--
-- Name: orchestrator_prompts_status_seq_page; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_prompts_status_seq_page ON public.orchestrator_prompts USING btree (status, seq);


--
-- Name: orchestrator_queue_tasks_claim; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_queue_tasks_claim ON public.orchestrator_queue_tasks USING btree (queue_name, status, priority DESC, seq);


--
-- Name: orchestrator_queue_tasks_dispatch_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_queue_tasks_dispatch_id_index ON public.orchestrator_queue_tasks USING btree (dispatch_id);


--
-- Name: orchestrator_queue_tasks_queue_name_status_visible_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_queue_tasks_queue_name_status_visible_at_index ON public.orchestrator_queue_tasks USING btree (queue_name, status, visible_at);


--
-- Name: orchestrator_queue_tasks_status_ended_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_queue_tasks_status_ended_at_index ON public.orchestrator_queue_tasks USING btree (status, ended_at);


--
-- Name: orchestrator_room_prompts_agent_id_room_id_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_room_prompts_agent_id_room_id_seq_index ON public.orchestrator_room_prompts USING btree (agent_id, room_id, seq);


--
-- Name: orchestrator_room_prompts_status_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_room_prompts_status_seq_index ON public.orchestrator_room_prompts USING btree (status, seq);


--
-- Name: orchestrator_transcript_agent_id_seq_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_transcript_agent_id_seq_index ON public.orchestrator_transcript USING btree (agent_id, seq);


--
-- Name: orchestrator_transcript_timestamp_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_transcript_timestamp_index ON public.orchestrator_transcript USING btree ("timestamp");


--
-- Name: orchestrator_workflows_agent_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX orchestrator_workflows_agent_id_index ON public.orchestrator_workflows USING btree (agent_id);


--
-- Name: wrap_audit_kind_resource_id_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX wrap_audit_kind_resource_id_index ON public.wrap_audit USING btree (kind, resource_id);


--
-- Name: wrap_launches_created_at_index; Type: INDEX; Schema: public; Owner: -
--

CREATE INDEX wrap_launches_created_at_index ON public.wrap_launches USING btree (created_at);


--
-- Name: controller_steps controller_steps_run_id_foreign; Type: FK CONSTRAINT; Schema: public; Owner: -
--

ALTER TABLE ONLY public.controller_steps
    ADD CONSTRAINT controller_steps_run_id_foreign FOREIGN KEY (run_id) REFERENCES public.controller_runs(id) ON DELETE CASCADE;


--
-- PostgreSQL database dump complete
--

\unrestrict WJPxomtChsPaYHoL1lwrDuNYkWO0PlVKIGG9R82We2tZIFA2paQqb9S6uYZ0aSp

