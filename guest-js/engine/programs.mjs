// What a program may do at its top level and a script of QuickJS-NG 0.16 may not: `return`, declare a name again that an
// earlier program of the session declared, and say `import.meta`.
//
// Doing it in the compiler keeps everything else as it is: what is constant, what is not yet initialised, what is hoisted.
// Each pair is a piece of `quickjs.c` and what stands in its place; the piece has to be there once.

export const programs = [
  // A `return` of the program itself, which only the host evaluates as an asynchronous script. What it returns is handed over
  // as the value of the last statement is.
  [
    `        if (s->cur_func->is_eval) {
            js_parse_error(s, "return not in a function");
            goto fail;
        }`,
    `        if (s->cur_func->is_eval &&
            s->cur_func->eval_type == JS_EVAL_TYPE_GLOBAL &&
            s->cur_func->func_kind == JS_FUNC_ASYNC) {
            if (next_token(s))
                goto fail;
            emit_op(s, OP_object);
            if (s->token.val != ';' && s->token.val != '}' && !s->got_lf && s->token.val != TOK_EOF) {
                if (js_parse_expr(s))
                    goto fail;
            } else {
                emit_op(s, OP_undefined);
            }
            emit_op(s, OP_define_field);
            emit_atom(s, JS_ATOM_value);
            emit_return(s, true);
            if (js_parse_expect_semi(s))
                goto fail;
            break;
        }
        if (s->cur_func->is_eval) {
            js_parse_error(s, "return not in a function");
            goto fail;
        }`,
  ],
  // The meta object of a program is a global that no identifier names. Only strict programs have one: those with \`import\`.
  [
    `            if (!s->is_module)
                return js_parse_error(s, "import.meta only valid in module code");
            if (next_token(s))
                return -1;
            emit_op(s, OP_special_object);
            emit_u8(s, OP_SPECIAL_OBJECT_IMPORT_META);`,
    `            if (!s->is_module && !s->cur_func->is_strict_mode)
                return js_parse_error(s, "import.meta only valid in module code");
            if (next_token(s))
                return -1;
            if (s->is_module) {
                emit_op(s, OP_special_object);
                emit_u8(s, OP_SPECIAL_OBJECT_IMPORT_META);
            } else {
                JSAtom meta_name = JS_NewAtom(s->ctx, "import.meta");
                if (meta_name == JS_ATOM_NULL)
                    return -1;
                emit_op(s, OP_get_var);
                emit_u32(s, meta_name);
            }`,
  ],
  // A name that a program before declared is free again; as a variable it keeps its value. Scripts that programs evaluate have
  // no such right, and nobody may declare `undefined`, `NaN` and `Infinity`.
  [
    `/* flags is 0, DEFINE_GLOBAL_LEX_VAR or DEFINE_GLOBAL_FUNC_VAR */
/* XXX: could support exotic global object. */
static int JS_CheckDefineGlobalVar(`,
    `#define DEFINE_GLOBAL_OF_PROGRAM (1 << 5)

static int js_forget_declaration(JSContext *ctx, JSAtom prop, int flags)
{
    JSObject *p = JS_VALUE_GET_OBJ(ctx->global_var_obj);
    JSProperty *pr;
    JSValue val;

    if (!find_own_property(&pr, p, prop))
        return 0;
    val = js_dup(pr->u.value);
    if (delete_property(ctx, p, prop) < 0) {
        JS_FreeValue(ctx, val);
        return -1;
    }
    if ((flags & (DEFINE_GLOBAL_LEX_VAR | DEFINE_GLOBAL_FUNC_VAR)) || JS_IsUninitialized(val)) {
        JS_FreeValue(ctx, val);
        return 0;
    }
    return JS_SetPropertyInternal(ctx, ctx->global_obj, prop, val, 0) < 0 ? -1 : 0;
}

/* flags is 0, DEFINE_GLOBAL_LEX_VAR or DEFINE_GLOBAL_FUNC_VAR */
/* XXX: could support exotic global object. */
static int JS_CheckDefineGlobalVar(`,
  ],
  [
    `        if (prs && !(prs->flags & JS_PROP_CONFIGURABLE))
            goto fail_redeclaration;
    } else {`,
    `        if (prs && !(prs->flags & JS_PROP_CONFIGURABLE) &&
            !((flags & DEFINE_GLOBAL_OF_PROGRAM) && (prs->flags & JS_PROP_WRITABLE)))
            goto fail_redeclaration;
    } else {`,
  ],
  [
    `    /* check if there already is a lexical declaration */
    p = JS_VALUE_GET_OBJ(ctx->global_var_obj);`,
    `    if (flags & DEFINE_GLOBAL_OF_PROGRAM)
        return js_forget_declaration(ctx, prop, flags);
    /* check if there already is a lexical declaration */
    p = JS_VALUE_GET_OBJ(ctx->global_var_obj);`,
  ],
  [
    `        if (hf->cpool_idx >= 0)
            flags |= DEFINE_GLOBAL_FUNC_VAR;
        dbuf_putc(&bc_out, flags);`,
    `        if (hf->cpool_idx >= 0)
            flags |= DEFINE_GLOBAL_FUNC_VAR;
        if (s->eval_type == JS_EVAL_TYPE_GLOBAL && s->func_kind == JS_FUNC_ASYNC)
            flags |= DEFINE_GLOBAL_OF_PROGRAM;
        dbuf_putc(&bc_out, flags);`,
  ],
];
