// What QuickJS-NG 0.16 forgets: the place of an error that the engine itself throws.
//
// Its compiler notes a place for names, operators and calls only. `this.a.b`, `null.x`, `const { a } = b` and calls with
// arguments on lines of their own were reported at whatever came before them, often the first line of the function. Each
// pair is a piece of `quickjs.c` and what stands in its place; the piece has to be there once.

export const locations = [
  // Where the callee of a call is named: the beginning of the expression, until there is a property.
  [
    `    bool accept_lparen = (parse_flags & PF_POSTFIX_CALL) != 0;

    call_type = FUNC_CALL_NORMAL;
    switch(s->token.val) {
    case TOK_NUMBER:`,
    `    bool accept_lparen = (parse_flags & PF_POSTFIX_CALL) != 0;
    int callee_line_num = s->token.line_num;
    int callee_col_num = s->token.col_num;

    call_type = FUNC_CALL_NORMAL;
    switch(s->token.val) {
    case TOK_NUMBER:`,
  ],
  // A property, also a private one and one of `super`.
  [
    `        parse_property:
            if (s->token.val == TOK_PRIVATE_NAME) {`,
    `        parse_property:
            callee_line_num = s->token.line_num;
            callee_col_num = s->token.col_num;
            emit_source_loc(s);
            if (s->token.val == TOK_PRIVATE_NAME) {`,
  ],
  // An element.
  [
    `        parse_array_access:
            prev_op = get_prev_opcode(fd);`,
    `        parse_array_access:
            callee_line_num = s->token.line_num;
            callee_col_num = s->token.col_num;
            prev_op = get_prev_opcode(fd);`,
  ],
  [
    `            if (js_parse_expect(s, ']'))
                return -1;
            if (prev_op == OP_get_super) {`,
    `            if (js_parse_expect(s, ']'))
                return -1;
            emit_source_loc_at(s, callee_line_num, callee_col_num);
            if (prev_op == OP_get_super) {`,
  ],
  // A call, which happens behind the places of its arguments.
  [
    `                /* drop the index */
                emit_op(s, OP_drop);

                /* apply function call */
`,
    `                /* drop the index */
                emit_op(s, OP_drop);

                /* apply function call */
                emit_source_loc_at(s, callee_line_num, callee_col_num);
`,
  ],
  [
    `            emit_func_call:
                switch(opcode) {`,
    `            emit_func_call:
                emit_source_loc_at(s, callee_line_num, callee_col_num);
                switch(opcode) {`,
  ],
  // `new` without arguments.
  [
    `                /* new operator on an object */
                emit_op(s, OP_dup);`,
    `                /* new operator on an object */
                emit_source_loc_at(s, callee_line_num, callee_col_num);
                emit_op(s, OP_dup);`,
  ],
  // What is taken apart: an object, each of its properties, something iterable.
  [
    `        if (next_token(s))
            return -1;
        /* throw an exception if the value cannot be converted to an object */
        emit_op(s, OP_to_object);`,
    `        emit_source_loc(s);
        if (next_token(s))
            return -1;
        /* throw an exception if the value cannot be converted to an object */
        emit_op(s, OP_to_object);`,
  ],
  [
    `        while (s->token.val != '}') {
            int prop_type;
            if (s->token.val == TOK_ELLIPSIS) {
                if (!has_ellipsis) {`,
    `        while (s->token.val != '}') {
            int prop_type;
            emit_source_loc(s);
            if (s->token.val == TOK_ELLIPSIS) {
                if (!has_ellipsis) {`,
  ],
  [
    `        block_env.has_iterator = true;
        emit_op(s, OP_for_of_start);
        has_spread = false;`,
    `        block_env.has_iterator = true;
        emit_source_loc_at(s, source_line_num, source_col_num);
        emit_op(s, OP_for_of_start);
        has_spread = false;`,
  ],
  // What a loop goes through, which may be a literal.
  [
    `    if (next_token(s))
        return -1;
    if (is_for_of) {
        if (js_parse_assign_expr(s))`,
    `    if (next_token(s))
        return -1;
    emit_source_loc(s);
    if (is_for_of) {
        if (js_parse_assign_expr(s))`,
  ],
  // An operator in front of a literal.
  [
    `    case TOK_VOID:
        op = s->token.val;
        if (next_token(s))`,
    `    case TOK_VOID:
        op = s->token.val;
        emit_source_loc(s);
        if (next_token(s))`,
  ],
  // What a class extends.
  [
    `    ClassFieldsDef class_fields[2];

    /* classes are parsed and executed in strict mode */`,
    `    ClassFieldsDef class_fields[2];
    int class_line_num = s->token.line_num;
    int class_col_num = s->token.col_num;

    /* classes are parsed and executed in strict mode */`,
  ],
  [
    `    emit_op(s, OP_define_class);
    emit_atom(s, class_name1);`,
    `    emit_source_loc_at(s, class_line_num, class_col_num);
    emit_op(s, OP_define_class);
    emit_atom(s, class_name1);`,
  ],
  // `this`, which a constructor may use too early.
  [
    `    case TOK_THIS:
        if (next_token(s))
            return -1;
        emit_op(s, OP_scope_get_var);`,
    `    case TOK_THIS:
        emit_source_loc(s);
        if (next_token(s))
            return -1;
        emit_op(s, OP_scope_get_var);`,
  ],
  // An assignment, which happens behind the places of its right side.
  [
    `    op = s->token.val;
    if (op == '=' || (op >= TOK_MUL_ASSIGN && op <= TOK_POW_ASSIGN)) {
        int label;
        if (next_token(s))`,
    `    op = s->token.val;
    if (op == '=' || (op >= TOK_MUL_ASSIGN && op <= TOK_POW_ASSIGN)) {
        int label;
        int assignment_line_num = s->token.line_num;
        int assignment_col_num = s->token.col_num;
        if (next_token(s))`,
  ],
  [
    `        if (op == '=') {
            if ((opcode == OP_get_ref_value || opcode == OP_scope_get_var) && name == name0) {`,
    `        emit_source_loc_at(s, assignment_line_num, assignment_col_num);
        if (op == '=') {
            if ((opcode == OP_get_ref_value || opcode == OP_scope_get_var) && name == name0) {`,
  ],
];
