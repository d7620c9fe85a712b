// Where QuickJS-NG 0.16 answers something else than the standard, or than Node where the standard leaves it open.
//
// Each pair is a piece of `quickjs.c` and what stands in its place; the piece has to be there once.

export const answers = [
  // A text that is spread into an object gives its characters.
  [
    `    if (JS_VALUE_GET_TAG(source) != JS_TAG_OBJECT)
        return 0;

    if (JS_VALUE_GET_TAG(excluded) == JS_TAG_OBJECT)`,
    `    if (JS_IsString(source)) {
        JSValue object = JS_ToObject(ctx, source);
        if (JS_IsException(object))
            return -1;
        ret = JS_CopyDataProperties(ctx, target, object, excluded, setprop);
        JS_FreeValue(ctx, object);
        return ret;
    }
    if (JS_VALUE_GET_TAG(source) != JS_TAG_OBJECT)
        return 0;

    if (JS_VALUE_GET_TAG(excluded) == JS_TAG_OBJECT)`,
  ],
  // What `Promise.any` is rejected with says so.
  [
    `    if (JS_IsException(obj))
        return obj;
    JS_DefinePropertyValueConst(ctx, obj, JS_ATOM_errors, errors,`,
    `    if (JS_IsException(obj))
        return obj;
    JS_DefinePropertyValue(ctx, obj, JS_ATOM_message,
                           js_new_string8(ctx, "All promises were rejected"),
                           JS_PROP_WRITABLE | JS_PROP_CONFIGURABLE);
    build_backtrace(ctx, obj, JS_UNDEFINED, NULL, 0, 0, 0);
    JS_DefinePropertyValueConst(ctx, obj, JS_ATOM_errors, errors,`,
  ],
  // Times have the name of their zone, of which there is one in a guest.
  [
    `    // _string(obj, fmt, part)
    char buf[64];`,
    `    // _string(obj, fmt, part)
    char buf[96];`,
  ],
  [
    `            /* XXX: tack the time zone code? */`,
    `            if (tz == 0) {
                pos += snprintf(buf + pos, sizeof(buf) - pos,
                                " (Coordinated Universal Time)");
            }`,
  ],
  [`JS_ThrowRangeError(ctx, "Date value is NaN")`, `JS_ThrowRangeError(ctx, "Invalid time value")`],
  [`"cannot convert BigInt to number"`, `"Cannot convert a BigInt value to a number"`],
  // An iterator that has yet to give what this one has yet to give, and whether these are pairs of key and value. For
  // `prelude/inspect.js`, which takes it away from programs.
  [
    `static JSValue js_map_read(BCReaderState *s, int magic)
{`,
    `static JSValue js_map_iterator_copy(JSContext *ctx, JSValueConst this_val,
                                    int argc, JSValueConst *argv, int magic)
{
    JSMapIteratorData *from, *it;
    JSValue copy, result;

    from = JS_GetOpaque2(ctx, this_val, JS_CLASS_MAP_ITERATOR + magic);
    if (!from)
        return JS_EXCEPTION;
    copy = JS_NewObjectClass(ctx, JS_CLASS_MAP_ITERATOR + magic);
    if (JS_IsException(copy))
        return JS_EXCEPTION;
    it = js_malloc(ctx, sizeof(*it));
    if (!it) {
        JS_FreeValue(ctx, copy);
        return JS_EXCEPTION;
    }
    it->obj = js_dup(from->obj);
    it->kind = from->kind;
    it->cur_record = from->cur_record;
    if (it->cur_record)
        it->cur_record->ref_count++;
    JS_SetOpaqueInternal(copy, it);
    JSValueConst both[2] = { copy, js_bool(it->kind == JS_ITERATOR_KIND_KEY_AND_VALUE) };
    result = js_create_array(ctx, 2, both);
    JS_FreeValue(ctx, copy);
    return result;
}

static JSValue js_map_read(BCReaderState *s, int magic)
{`,
  ],
  [
    `    JS_ITERATOR_NEXT_DEF("next", 0, js_map_iterator_next, 0 ),`,
    `    JS_ITERATOR_NEXT_DEF("next", 0, js_map_iterator_next, 0 ),
    JS_CFUNC_MAGIC_DEF("copy", 0, js_map_iterator_copy, 0 ),`,
  ],
  [
    `    JS_ITERATOR_NEXT_DEF("next", 0, js_map_iterator_next, MAGIC_SET ),`,
    `    JS_ITERATOR_NEXT_DEF("next", 0, js_map_iterator_next, MAGIC_SET ),
    JS_CFUNC_MAGIC_DEF("copy", 0, js_map_iterator_copy, MAGIC_SET ),`,
  ],
];
